"""The correct trimmers of the museum, and the reference, break nothing, whatever they are given."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from trimfuzz import oracles
from trimfuzz.implementations.museum import CORRECT
from trimfuzz.implementations.reference import reference
from trimfuzz.implementations.running import run
from trimfuzz.implementations.time_limit import Watch
from trimfuzz.implementations.trimmer import Trimmer
from trimfuzz.messages.cases import Case, Example, Finding, Outcome, Runs
from trimfuzz.messages.errors import CannotCarry
from trimfuzz.messages.formats.counting import cost_in, native_count
from trimfuzz.messages.limits import Limit, LimitKind, cost_of, sweep
from trimfuzz.messages.model import History
from trimfuzz.messages.neutral import load_history
from trimfuzz.messages.reading.profile import Profile
from trimfuzz.messages.reading.profiles import PROFILES, profile
from trimfuzz.messages.shorthand import history
from trimfuzz.oracles.facts.evidence import NonemptyForm
from trimfuzz.oracles.judging.judging import judge
from trimfuzz.oracles.rules.registry import RULES
from trimfuzz.strategies import known_histories
from trimfuzz.strategies.encoding.features import features_of
from trimfuzz.strategies.lane import random_histories

CASES = pytest.mark.parametrize("count", [400, pytest.param(4000, marks=pytest.mark.nightly)])
"""Cases for each trimmer; `trimfuzz prove` gives each 20,000."""
ALWAYS = tuple(name for name, rule in RULES.items() if rule.kind == "always")
EXAMPLES = Path(oracles.__path__[0]) / "records" / "examples.jsonl"
WATCH = Watch(2)
BY_NAME = pytest.mark.parametrize("trimmer", CORRECT, ids=lambda trimmer: trimmer.name)


@pytest.fixture(autouse=True)
def _watched() -> Iterator[None]:
    """Interrupt trims that hang."""
    with WATCH.watching():
        yield


def cases_of(
    trimmer: Trimmer, messages: History, rules: Profile, cap: int, point: Limit | None = None
) -> Iterator[list[Case]]:
    """Give for each kind of limit the cases of a history, largest limit first, then a point that was drawn."""
    for kind in trimmer.limits:
        cost = cost_of(kind, cost_in(trimmer.format, native_count(trimmer.format)))
        example = Example(messages, profile=rules, cost=cost)
        costs = example.costs if kind == "tokens" else None
        points = (point,) if point is not None and kind == "compaction" else ()
        yield [Case(example, limit) for limit in (*reversed(sweep(messages, kind, costs=costs, cap=cap)), *points)]


def trim(trimmer: Trimmer, case: Case) -> Outcome:
    """Run the trimmer once."""
    return run(trimmer, case, count=native_count(trimmer.format), watch=WATCH)


def broken(trimmer: Trimmer, cases: list[Case], rules: tuple[str, ...]) -> Iterator[Finding]:
    """Run all cases of a history, and yield what these rules find."""
    larger: tuple[Case, Outcome] | None = None
    for number, case in enumerate(cases):
        outcome = trim(trimmer, case)
        assert outcome.status in ("ok", "refused"), (case, outcome)
        runs = Runs(larger=larger)
        if outcome.output is not None:
            larger = (case, outcome)
            if number % 4 == 0:
                own = Example(outcome.output, profile=case.profile, cost=case.example.cost)
                runs = Runs(trim(trimmer, case), trim(trimmer, Case(own, case.limit)), runs.larger)
        yield from judge(
            case, outcome, rules=rules, runs=runs, nonempty=NonemptyForm.MILD if trimmer.mild else NonemptyForm.LEGAL
        )


def held_to(trimmer: Trimmer) -> tuple[str, ...]:
    """Name the rules that the trimmer must never break: those that always fail, and what it promises."""
    promised = tuple(name for name in trimmer.promises if name != "utilisation" and name not in ALWAYS)
    return ALWAYS + promised


def fails(finding: Finding) -> bool:
    """Say whether a finding may not be: of the rules that always fail on any input, of promises on sound input."""
    return RULES[finding.rule].kind == "always" or finding.case.input_class in ("valid", "pending")


@pytest.mark.slow
@CASES
@BY_NAME
def test_correct_is_silent_on_random_histories(trimmer: Trimmer, count: int) -> None:
    """Nothing that always fails on any input, malformed as well, and no promise broken on valid and pending input."""
    done = 0
    compaction = "compaction" in trimmer.limits
    for drawn in random_histories(7, features=features_of(trimmer.format), compaction=compaction):
        for cases in cases_of(trimmer, drawn.history, profile("openai-chat"), cap=12, point=drawn.point):
            done += len(cases)
            assert [found for found in broken(trimmer, cases, held_to(trimmer)) if fails(found)] == []
        if done >= count:
            break


@cache
def examples() -> tuple[History, ...]:
    """Read the histories of the shipped examples."""
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()
    return tuple(dict.fromkeys(load_history(json.loads(line)["history"]) for line in lines))


def carried(trimmer: Trimmer) -> Iterator[History]:
    """Give the examples' histories that the trimmer's format has a place for, and those of the public reports."""
    yield from (known.history for known in known_histories(trimmer.format) if known.url is not None)
    for found in examples():
        try:
            trimmer.format.write_history(found)
        except CannotCarry:
            continue
        yield found


@pytest.mark.slow
@BY_NAME
def test_correct_is_silent_on_the_examples(trimmer: Trimmer) -> None:
    """The histories by which the definitions are told break nothing either, and there are many that can be carried."""
    known = list(carried(trimmer))
    assert len(known) > 30
    for messages in known:
        for cases in cases_of(trimmer, messages, profile("openai-chat"), cap=48):
            assert [found for found in broken(trimmer, cases, held_to(trimmer)) if fails(found)] == []


@BY_NAME
def test_correct_trims_at_all(trimmer: Trimmer) -> None:
    """A correct trimmer is no identity: something goes where something has to."""
    messages = history("S U A[a,b] T(a) T(b) U A U")
    for cases in cases_of(trimmer, messages, profile("openai-chat"), cap=48):
        outcomes = [(case, trim(trimmer, case)) for case in cases]
        assert any(out.output is not None and 0 < len(out.output) < len(messages) for _case, out in outcomes)
        assert all(len(out.output or ()) == len(messages) for case, out in outcomes if case.fits)


def outcome_of(name: str, written: str, limit: int, kind: LimitKind = "messages") -> Outcome:
    """Run one correct trimmer on one case."""
    trimmer = next(trimmer for trimmer in CORRECT if trimmer.name == name)
    return trim(trimmer, Case(Example(history(written)), Limit(kind, limit)))


def roles(outcome: Outcome) -> str:
    """Write an output by the first letters of its roles."""
    return "".join(message.role[0] for message in outcome.output or ())


@pytest.mark.parametrize(
    ("name", "written", "limit", "kept"),
    [
        ("suffix-by-units", "U A[a] T(a) U", 3, "atu"),
        ("suffix-by-units", "U A[a] T(a)", 1, ""),
        ("system-and-tail", "S U A U", 2, "su"),
        ("first-and-last", "S U A A U", 3, "suu"),
        ("whole-user-turns", "U A U A", 3, "ua"),
        ("whole-user-turns", "A[a] U T(a) U A", 4, "ua"),
        ("keeps-pins", "U! A[a] T(a) U", 2, "uu"),
        ("keeps-open-calls", "U A[a] U A U", 2, "au"),
        ("tool-traffic-first", "U A[a] T(a) A U", 3, "uau"),
        ("in-place", "U A[a] T(a) U", 3, "atu"),
        ("awaited", "U A[a] T(a) U", 3, "atu"),
        ("yields", "U A[a] T(a) U", 3, "atu"),
        ("declared-summary", "S U U U", 3, "suu"),
        ("marker-at-the-gap", "U A U A U", 3, "uuu"),
        ("calls-cut-with-their-results", "U A[a,b] T(a) T(b) U", 3, "atu"),
        ("repaired", "U A[a] U T(a) A[b] U", 9, "uatuatu"),
    ],
)
def test_correct_keeps_what_its_style_keeps(name: str, written: str, limit: int, kept: str) -> None:
    """Each style does what its name says."""
    assert roles(outcome_of(name, written, limit)) == kept


def test_correct_declares_what_it_puts_in() -> None:
    """Summaries, markers and stand-ins carry the mark that declares them."""
    summary = outcome_of("declared-summary", "S U U U", 3).output
    marker = outcome_of("marker-at-the-gap", "U A U A U", 3).output
    repaired = outcome_of("repaired", "U A[a] U", 9).output
    assert summary is not None and summary[1].summary  # noqa: PT018
    assert marker is not None and marker[1].extra["inserted"] is True  # noqa: PT018
    assert repaired is not None and repaired[2].extra["inserted"] is True  # noqa: PT018


def test_correct_puts_results_into_call_order() -> None:
    """Results behind a call message come out in the order of its calls, once something is trimmed."""
    output = outcome_of("results-in-call-order", "U A[a,b,c] T(c) T(a) T(b)", 4).output
    assert [message.call_id for message in output or ()] == [None, "a", "b", "c"]


@pytest.mark.parametrize("name", ["refuses", "whole-user-turns", "keeps-pins", "wants-a-limit"])
def test_correct_refuses_by_its_declared_error(name: str) -> None:
    """A limit that nothing fits into is answered with a refusal, not with a crash."""
    assert outcome_of(name, "U! A[a]! T(a)", 0).status == "refused"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PROFILES if name != "openai-responses-anchored"])
def test_reference_breaks_nothing(name: str) -> None:
    """The reference trimmer keeps every rule and promise under every profile, on any input."""
    trimmer = reference(profile(name))
    rules = tuple(rule for rule in RULES if RULES[rule].kind != "promise") + tuple(trimmer.promises)
    for drawn in islice(random_histories(3, features=features_of(trimmer.format)), 30):
        for cases in cases_of(trimmer, drawn.history, profile(name), cap=8):
            assert list(broken(trimmer, cases, rules)) == []


def test_reference_refuses_when_nothing_legal_fits() -> None:
    """Pins and the head over the limit are a refusal."""
    case = Case(Example(history("S U! A"), profile=profile("neutral")), Limit("messages", 1))
    assert trim(reference(), case).status == "refused"
