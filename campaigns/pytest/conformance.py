"""Conformance: a trimmer's rules as tests in one's own pytest suite.

In a test module:

    test_mine = trimfuzz.conformance(trim, limit="tokens", promises=["within-limit", "keeps-system"])

makes one test for each rule that can fail: `test_mine[no-orphan]`, `test_mine[call-answered]`, ... They draw through
Hypothesis under the profile in force, share one generation in each process, and work under `-n auto`. Without a test
module:

    pytest --pyargs trimfuzz.campaigns.conformance --trimmer mypackage.window:trim --limit tokens

The trimmer runs in the test process, as any code under test does: one that kills its process ends the test run, and
is for `trimfuzz check`, which runs it in a process of its own. A trim that takes more than two seconds is stopped,
and is a finding.
"""

import inspect
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from io import StringIO
from random import SystemRandom
from types import ModuleType
from typing import Any, cast

import hypothesis
import pytest
from attrs import evolve
from rich.console import Console

from ...implementations.trimmer import Trimmer
from ...messages.errors import BadTarget, TrimfuzzError, a_kind
from ...messages.formats.counting import Count
from ...messages.limits import LimitKind
from ...messages.reading.pairing import INPUT_CLASSES
from ..engine.records import Record
from ..reports.canvas import Canvas
from ..reports.finding import finding
from ..reports.reproduce import spec_options
from ..target.contract import FAILING_CLASSES, Terms
from ..target.declaration import read_promises, read_refusals, split_limit
from ..target.spec import Spec, check_options, held_to, read_fail_on, read_inputs, resolve
from ..target.target import trimmer_from
from .plugin import OPTIONS, option_name
from .shared_run import SharedRun

PYARGS = "trimfuzz.campaigns.conformance"
"""Where the tests of a target on the command line stand."""
SUITE = pytest.StashKey[SharedRun]()
WIDTH = 100
"""Columns of a failure report, beside pytest's own margin."""


class BrokenRule(AssertionError):
    """A rule that a trimmer broke. `records` has the smallest case of every cause, smallest first; `record` is the
    first."""

    def __init__(self, records: Iterable[Record], reproduce: str, notes: Iterable[str] = ()) -> None:
        self.records = tuple(records)
        self.reproduce = reproduce
        self.notes = tuple(notes)
        super().__init__(self.records, reproduce)

    @property
    def record(self) -> Record:
        """The smallest case."""
        return self.records[0]

    def __str__(self) -> str:
        lines = [self.record.cause]
        for record in self.records:
            lines += ["", *drawn(record)]
        return "\n".join([*lines, "", *self.notes, f"reproduce: {self.reproduce}"])


def drawn(record: Record) -> list[str]:
    """Draw a finding as plain lines, in letters that the terminal behind the captured output can show."""
    encoding = getattr(sys.__stdout__, "encoding", None) or "ascii"
    canvas = Canvas(WIDTH, ascii=not encoding.lower().replace("-", "").startswith("utf"))
    plain = Console(file=StringIO(), width=WIDTH, color_system=None)
    plain.print(*finding([record], canvas), sep="\n", highlight=False, markup=False, emoji=False)
    return [line.rstrip() for line in cast("StringIO", plain.file).getvalue().splitlines()]


def conformance(
    trim: Callable[..., Any] | Trimmer | type | str,
    /,
    *,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | None = None,
    provider: str | None = None,
    count: Count | None = None,
    call: str | None = None,
    refuses: Iterable[type[BaseException]] | type[BaseException] = (),
    in_place: bool = False,
    marks: bool = True,
    inputs: Iterable[str] = INPUT_CLASSES,
    fail_on: Iterable[str] = tuple(sorted(FAILING_CLASSES)),
    settings: hypothesis.settings | None = None,
    name: str | None = None,
) -> Callable[..., None]:
    """Make a test function of a trimmer, one test for each rule; assign it to a name that begins with `test`.

    `trim` is a function, a memory or compactor class, a `Trimmer`, or a target as on the command line. `limit` is
    what it counts (`"tokens"`), or a fixed window (`"messages=40"`). `promises` are what it is held to, instead of
    what it declares or what is assumed of a bare function. `count` measures a message or a list of them. `refuses`
    are errors that mean that nothing fits. `settings` are Hypothesis settings, by default the profile in force. The
    other options are those of `trimfuzz check`. Raises `TrimfuzzError`, `ValueError` or `TypeError` for what cannot
    be meant.
    """
    _need_meant(count=count, settings=settings, format=format, provider=provider, call=call, name=name)
    kind, fixed = split_limit(limit)
    spec = Spec(
        trim if isinstance(trim, str) else name or name_of(trim),
        format=format,
        limit=cast("LimitKind | None", kind),
        fixed=fixed,
        call=call,
        in_place=in_place,
        provider=provider,
        inputs=_classes("inputs", inputs),
        fail_on=_classes("fail_on", fail_on),
        marks=marks,
    )
    errors = read_refusals(refuses)
    declared = None if promises is None else read_promises(promises)
    caller, in_class = _caller()
    terms = terms_of(trim, spec, declared, count, errors)
    suite = SharedRun(terms, f"{caller}:{terms.trimmer.name}:{terms.kind}:{terms.pack.name}", settings)

    @pytest.mark.parametrize("rule", suite.rules())
    def test(rule: str, request: pytest.FixtureRequest) -> None:
        __tracebackhide__ = True
        _check(suite, rule, request, ["pytest", str(request.node.nodeid)])

    test.__module__, test.__qualname__ = caller, "conformance"
    test.__doc__ = f"{terms.trimmer.name} does not break this rule."
    return staticmethod(test) if in_class else test


def _need_meant(*, count: object, settings: object, **texts: object) -> None:
    """Raise `TypeError` in one line for an option of another type, where it would show much later and elsewhere."""
    if count is not None and not callable(count):
        raise TypeError(f"count is a function of a message or a list of them, not {a_kind(count)}")
    if settings is not None and not isinstance(settings, hypothesis.settings):
        raise TypeError(f"settings are hypothesis.settings(...), not {a_kind(settings)}")
    for option, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{option} is a string, not {a_kind(value)}")


def _classes(option: str, given: Iterable[str]) -> tuple[str, ...]:
    """Read input classes; one alone may stand for itself."""
    if not isinstance(given, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{option} are input classes, as ['valid'], not {a_kind(given)}")
    found = (given,) if isinstance(given, str) else tuple(given)
    if not found:
        raise ValueError(f"{option} names no input class; known: {', '.join(INPUT_CLASSES)}")
    return found


def name_of(trim: object) -> str:
    """Return the name that an object has in reports when none is given."""
    if isinstance(trim, Trimmer):
        return trim.name
    return str(getattr(trim, "__qualname__", None) or type(trim).__name__).replace(".<locals>", "")


def _caller() -> tuple[str, bool]:
    """Name the module that asks, so that what it remembers is its own; and say whether it asks in a class body."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    if frame is None:
        return "", False
    in_class = "__qualname__" in frame.f_locals and "__module__" in frame.f_locals
    return str(frame.f_globals.get("__name__", "")), in_class


def terms_of(
    trim: object,
    spec: Spec,
    declared: Mapping[str, float] | None,
    count: Count | None,
    refuses: tuple[type[BaseException], ...],
) -> Terms:
    """Build the terms of an object that a test names; `declared` are its promises, where they are said."""
    check_options(evolve(spec, promises=dict(declared or {})))
    if isinstance(trim, str):
        trimmer = resolve(evolve(spec, refuses=())).terms.trimmer
    elif isinstance(trim, Trimmer):
        trimmer = trim
    else:
        trimmer, _ = trimmer_from(
            trim,
            spec.target,
            module=_module_of(trim),
            format=spec.format,
            limit=spec.limit,
            fixed=spec.fixed,
            call=spec.call,
            in_place=spec.in_place,
        )
    trimmer = evolve(trimmer, refuses=(*trimmer.refuses, *refuses))
    if declared is not None:
        trimmer = evolve(trimmer, promises=declared, bare=False)
    if spec.limit is not None and trimmer.takes_limit and spec.limit not in trimmer.limits:
        raise BadTarget(f"{trimmer.name} takes no {spec.limit} limit", "it takes " + ", ".join(trimmer.limits))
    return held_to(trimmer, spec, count=count)


def _module_of(trim: object) -> ModuleType:
    return inspect.getmodule(trim) or sys.modules["__main__"]


def _check(suite: SharedRun, rule: str, request: pytest.FixtureRequest, command: list[str]) -> None:
    """Fail with the smallest cases of a rule, if it is broken."""
    __tracebackhide__ = True
    seed, said = _seed(suite, request.config)
    records = suite.broken(rule, seed=seed)
    if records:
        assumed = rule in suite.terms.assumed
        note = f"{rule} is assumed of a function that declares nothing; promises=[...] says what this one promises"
        raise BrokenRule(records, shlex.join([*command, *said]), [note] if assumed else [])


def _seed(suite: SharedRun, config: pytest.Config) -> tuple[str | None, list[str]]:
    """Choose the seed of the generation once in a process, and say the option that repeats it."""
    if (suite.settings or hypothesis.settings()).derandomize:
        return None, []
    given = config.getoption("--hypothesis-seed", None)
    if given is not None:
        return str(given), [f"--hypothesis-seed={given}"]
    if suite.seed is None:
        suite.seed = SystemRandom().randrange(1 << 32)
    return str(suite.seed), [f"--hypothesis-seed={suite.seed}"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test for each rule of the target on the command line."""
    if "trimfuzz_rule" in metafunc.fixturenames:
        try:
            suite = _suite_of(metafunc.config)
        except TrimfuzzError as error:
            raise pytest.Collector.CollectError(f"trimfuzz: {error}") from None
        metafunc.parametrize("trimfuzz_rule", suite.rules())


def test_trimmer(trimfuzz_rule: str, request: pytest.FixtureRequest) -> None:
    """The target of `--trimmer` does not break this rule."""
    __tracebackhide__ = True
    spec = spec_of_options(request.config)
    options = [f"--trimmer-{word[2:]}" if word.startswith("--") else word for word in spec_options(spec)]
    command = ["pytest", "--pyargs", PYARGS, "--trimmer", spec.target, *options, "-k", trimfuzz_rule]
    _check(_suite_of(request.config), trimfuzz_rule, request, command)


def _suite_of(config: pytest.Config) -> SharedRun:
    """Return the run of the target on the command line; it is resolved once."""
    found = config.stash.get(SUITE, None)
    if found is None:
        spec = spec_of_options(config)
        terms = resolve(spec).terms
        found = SharedRun(terms, f"--trimmer:{terms.trimmer.name}:{terms.kind}:{terms.pack.name}")
        config.stash[SUITE] = found
    return found


def spec_of_options(config: pytest.Config) -> Spec:
    """Read the plugin's options as a spec; raises `BadTarget` when no target is named, or one makes no sense."""
    given = {name: config.getoption(option_name(name)) for name in ("target", *OPTIONS)}
    if given["target"] is None:
        raise BadTarget("which trimmer?", "pytest --pyargs trimfuzz.campaigns.conformance --trimmer mymodule:trim")
    try:
        kind, fixed = split_limit(given["limit"])
        promises = read_promises(given["promise"] or [])
    except ValueError as error:
        raise BadTarget(str(error)) from None
    fail_on = tuple(sorted(FAILING_CLASSES | set(read_fail_on(given["fail-on"]))))
    return Spec(
        given["target"],
        format=given["format"],
        limit=cast("LimitKind | None", kind),
        fixed=fixed,
        count=given["count"],
        call=given["call"],
        in_place=bool(given["in-place"]),
        refuses=tuple(given["refuses"] or ()),
        provider=given["provider"],
        promises=promises,
        withdrawn=tuple(given["no-promise"] or ()),
        fail_on=fail_on,
        inputs=read_inputs(given["inputs"]),
        marks=given["marks"] != "off",
    )
