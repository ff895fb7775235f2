"""The ports of the seed systems against recorded outputs of the upstream code; `--vectors DIR` names other ones."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from trimfuzz.implementations.seeds import codebuff, kimi_events, kimi_projection, kimi_strategy, merak, oasis
from trimfuzz.messages.model import History, Message
from trimfuzz.messages.neutral import load_history
from trimfuzz.messages.reading.survivors import align

NOT_PORTED: frozenset[str] = frozenset()
WITH_SOURCES = {"oasis", "codebuff", "merak"}
"""Systems whose recorded outputs say, for each message, where it came from (`src`)."""


def expected(items: list[dict[str, Any]]) -> list[Message]:
    """Read recorded messages, without the note where each came from."""
    return list(load_history([{key: value for key, value in item.items() if key != "src"} for item in items]))


def check_oasis(case: dict[str, Any], *, strip_results: bool) -> None:
    """oasis: the list, and whether it is the very list given."""
    given = list(load_history(case["input"]))
    found = oasis.trim_messages(given, case["params"]["max_messages"], strip_results=strip_results)
    assert found == expected(case["output"])
    assert (found is given) == case["same_list_returned"]


def recorded_tokens(history: History, params: dict[str, Any]) -> dict[Message, int]:
    """Give the recorded size of every message, whole and shortened, and of the placeholder."""
    sizes = {codebuff.PLACEHOLDER: params["placeholder_tokens"]}
    for message, whole, short in zip(history, params["message_tokens"], params["shortened_tokens"], strict=True):
        sizes[message] = whole
        if message.name == codebuff.TERMINAL:
            sizes[codebuff.simplified(message)] = short
    return sizes


def check_codebuff(case: dict[str, Any], *, drop_orphans: bool) -> None:
    """codebuff: the trim with its sizes, and what the guard makes of it."""
    given, params = list(load_history(case["input"])), case["params"]
    assert params["shrink_factor"] == codebuff.SHRINK
    sizes = recorded_tokens(tuple(given), params)
    limit = params["max_total_tokens"] - params["system_tokens"]
    found = codebuff.trim_messages(given, limit, sizes.__getitem__, drop_orphans=drop_orphans)
    assert found == expected(case["output"])
    assert (found is given) == case["same_list_returned"]
    assert sum(map(sizes.__getitem__, found)) == case["output_tokens"]
    assert codebuff.drop_unanswered(found) == expected(case["after_drop_unanswered"])


def check_guard(case: dict[str, Any], *, guard: codebuff.Guard) -> None:
    """codebuff: a guard on the raw input."""
    assert guard(list(load_history(case["input"]))) == expected(case["output"])


def check_merak(case: dict[str, Any], *, fixed: bool) -> None:
    """merak: what is sent, its shape on the wire, and how many messages the hard trim deleted."""
    given, params = list(load_history(case["input"])), case["params"]
    if params["op"] == "recent_history":
        found = (merak.last_rounds if fixed else merak.last_messages)(given, params["max_turns"])
    else:
        found = given
        if params["op"] == "planned_assemble":
            found, trimmed = merak.assemble(
                given,
                params["model_max"],
                model=params["model"],
                system_prompt=params["system_prompt"],
                trim_what_is_sent=fixed,
            )
            assert trimmed == case["hard_trims"]
        if fixed:
            found = merak.sanitize_orphans(found)
        if "wire_shape" in case:
            assert merak.wire_shape(found, params["model"]) == case["wire_shape"]
    assert list(map(bare, found)) == expected(case["output"])


def bare(message: Message) -> Message:
    """Leave out what upstream's messages have no place for: the tool's name, and who runs a call."""
    return evolve(message, name=None, calls=tuple(evolve(call, provider_executed=False) for call in message.calls))


def plain(messages: list[Message]) -> list[Message]:
    """Leave out marks and the tool's name; a message without text has an empty one."""
    return [Message(it.role, it.text or "", calls=it.calls, call_id=it.call_id) for it in messages]


PROJECTIONS: dict[str, dict[str, Callable[[list[Message]], list[Message]]]] = {
    "pre": {"output": kimi_projection.project_pre},
    **{
        variant: {
            "output": kimi_projection.project_v1,
            "no_drop": partial(kimi_projection.project_v1, drop_orphans=False),
            "synthesize_missing": partial(kimi_projection.project_v1, synthesize=True),
            "strict": partial(kimi_projection.project_v1, strict=True, dedupe=variant == "head"),
        }
        for variant in ("post", "head")
    },
    "v2": {"output": kimi_projection.project_v2, "strict": partial(kimi_projection.project_v2, strict=True)},
}


def check_projection(case: dict[str, Any], *, variant: str) -> None:
    """kimi-code: every way to project a stored history."""
    for way, project in PROJECTIONS[variant].items():
        assert plain(project(list(load_history(case["input"])))) == plain(expected(case[way])), way


REQUESTS: dict[kimi_events.Variant, dict[str, Callable[[list[Message]], list[Message]]]] = {
    "pre": {"output": kimi_projection.project_pre},
    "pr1054": {"output": kimi_projection.project_pre},
    "post": {"output": kimi_projection.project_v1, "strict": partial(kimi_projection.project_v1, strict=True)},
    "head": {
        "output": kimi_projection.project_v1,
        "strict": partial(kimi_projection.project_v1, strict=True, dedupe=True),
    },
}


def check_events(case: dict[str, Any], *, variant: kimi_events.Variant) -> None:
    """kimi-code: the stored history with where its messages come from, and every request made of it."""
    history = kimi_events.replay(case["input"], variant, case["params"]["mode"])
    assert plain(history) == plain(expected(case["history"]))
    assert [it.extra.get("origin") for it in history] == [it.get("origin") for it in case["history"]]
    for way, project in REQUESTS[variant].items():
        assert plain(project(history)) == plain(expected(case[way])), way


def check_count(case: dict[str, Any]) -> None:
    """kimi-code: how many messages are compacted, automatically, by hand, and after an overflow."""
    given, params, output = load_history(case["input"]), case["params"], case["output"]
    sizes, window = params["message_tokens"], params["max_size"]
    assert kimi_strategy.auto_count(given, sizes, window) == output["auto"]
    assert kimi_strategy.manual_count(given, sizes, window) == output["manual"]
    assert kimi_strategy.reduced_count(given, sizes, window) == output["reduce_on_overflow"]


CHECKS: dict[tuple[str, str], Callable[[dict[str, Any]], None]] = {
    ("oasis", "pre"): partial(check_oasis, strip_results=False),
    ("oasis", "post"): partial(check_oasis, strip_results=True),
    ("codebuff", "pre"): partial(check_codebuff, drop_orphans=False),
    ("codebuff", "post"): partial(check_codebuff, drop_orphans=True),
    **{
        ("kimi-code/project", variant): partial(check_projection, variant=variant)
        for variant in ("pre", "post", "head", "v2")
    },
    **{("kimi-code", variant): partial(check_events, variant=variant) for variant in REQUESTS},
    ("kimi-code/compact-count", "pre"): check_count,
    ("merak", "pre"): partial(check_merak, fixed=False),
    ("merak", "post"): partial(check_merak, fixed=True),
    ("codebuff", "dropUnansweredToolCalls"): partial(check_guard, guard=codebuff.drop_unanswered),
    ("codebuff", "filterUnfinishedToolCalls"): partial(check_guard, guard=codebuff.filter_unfinished),
}


def read_files(folder: Path) -> list[tuple[Path, tuple[str, str], list[dict[str, Any]], str]]:
    """Read every vector file: its path, system and variant, cases, and what is wrong with it ("" if nothing)."""
    found: list[tuple[Path, tuple[str, str], list[dict[str, Any]], str]] = []
    for file in sorted(folder.glob("*.json")):
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            key, cases = (data["system"], data["variant"]), data["cases"]
            found.append((file, key, cases, "" if cases else f"{file}: no cases"))
        except (OSError, ValueError, KeyError, TypeError) as error:
            found.append((file, ("", ""), [], f"{file}: not a vector file: {error!r}"))
    return found or [(folder / "none", ("", ""), [], f"no vector files (*.json) in {folder}")]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand every file to the tests here; one that can not be used is a parameter with its reason."""
    files = read_files(Path(str(metafunc.config.getoption("--vectors"))))
    if "problem" in metafunc.fixturenames:
        found = [pytest.param(key, cases, problem, id=file.stem) for file, key, cases, problem in files]
        metafunc.parametrize(("key", "cases", "problem"), found)
    elif "aligned" in metafunc.fixturenames:
        found = [
            pytest.param(cases, id=file.stem)
            for file, key, cases, problem in files
            if key[0] in WITH_SOURCES and not problem
        ]
        metafunc.parametrize("aligned", found)


def failing(cases: list[dict[str, Any]], check: Callable[[dict[str, Any]], None]) -> list[str]:
    """Name the cases whose check fails, with what pytest says of each."""
    found: list[str] = []
    for case in cases:
        try:
            check(case)
        except Exception as error:
            found.append(f"{case['id']}: {type(error).__name__}: {error}")
    return found


def test_vectors_ports(key: tuple[str, str], cases: list[dict[str, Any]], problem: str) -> None:
    """A port gives every recorded output; a system not ported yet is skipped by name; anything else fails."""
    if problem:
        pytest.fail(problem, pytrace=False)
    if key[0] in NOT_PORTED:
        pytest.skip(f"{key[0]} is not ported yet")
    if key not in CHECKS:
        known = ", ".join(sorted({system for system, _variant in CHECKS} | NOT_PORTED))
        pytest.fail(f"unknown system or variant {key}; known systems: {known}", pytrace=False)
    found = failing(cases, CHECKS[key])
    assert not found, f"{len(found)} of {len(cases)}:\n" + "\n".join(found[:3])


def check_sources(case: dict[str, Any]) -> None:
    """The survivor alignment finds the recorded source of every output message, without any shared object."""
    history, output = load_history(case["input"]), tuple(expected(case["output"]))
    assert [item["src"] for item in case["output"]] == list(align(history, output).sources)


def test_vectors_survivors(aligned: list[dict[str, Any]]) -> None:
    """The alignment names the sources that were recorded, in every case."""
    found = failing(aligned, check_sources)
    assert not found, f"{len(found)} of {len(aligned)}:\n" + "\n".join(found[:3])


def test_a_case_that_differs_is_named() -> None:
    """One wrong output among many fails, under its own id."""
    good = {"id": "good", "input": [{"role": "user", "text": "a"}], "output": [{"role": "user", "text": "a", "src": 0}]}
    bad = {**good, "id": "bad", "output": [{"role": "user", "text": "a", "src": 1}]}
    (said,) = failing([good, bad, good], check_sources)
    assert said.startswith("bad: AssertionError: ")
