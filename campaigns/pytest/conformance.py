"""Conformance: a trimmer's rules as tests in one's own pytest suite.

In a test module:

    test_mine = trimfuzz.conformance(trim, limit="tokens", promises=["within-limit", "keeps-system"])

makes one test for each rule that can fail: `test_mine[no-orphan]`, `test_mine[call-answered]`, ... They draw through
Hypothesis under the profile in force, share one generation in each process, and work under `-n auto`. Without a test
module:

    pytest --pyargs trimfuzz.campaigns.conformance --trimmer mypackage.window:trim --limit tokens

The trimmer runs in the test process, as any code under test does: one that kills its process ends the test run, and
is for `trimfuzz check`, which runs it in a process of its own. A trim that takes more than `timeout` seconds is
stopped, and is a finding.
"""

import inspect
import shlex
import sys
from collections.abc import Callable, Iterable, Mapping
from random import SystemRandom
from typing import Any

import hypothesis
import pytest

from ...implementations.trimmer import Trimmer
from ...messages.errors import BadName, BadTarget, TrimfuzzError, a_kind
from ...messages.formats.counting import Count
from ..engine.bugs import Bug
from ..engine.records import Record
from ..reports.canvas import Canvas
from ..reports.finding import finding
from ..reports.plain_text import plain_text
from ..reports.reproduce import spec_options
from ..target.contract import Contract
from ..target.resolve import resolve
from ..target.spec import Spec
from .plugin import OPTIONS, option_name
from .shared_run import SharedRun

PYARGS = "trimfuzz.campaigns.conformance"
"""Where the tests of a target on the command line stand."""
SUITE = pytest.StashKey[SharedRun]()
WIDTH = 100
"""Columns of a failure report, beside pytest's own margin."""


class BrokenRule(AssertionError):
    """A rule that a trimmer broke. `records` has the smallest case of every bug, smallest first; `record` is the
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
    return plain_text(finding(Bug(None, record), canvas), width=WIDTH).splitlines()


def conformance(
    trim: Callable[..., Any] | Trimmer | type | str,
    /,
    *,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | None = None,
    provider: str | None = None,
    count: Count | str | None = None,
    call: str | None = None,
    refuses: Iterable[type[BaseException]] | type[BaseException] = (),
    in_place: bool = False,
    marks: bool | str | None = None,
    without: Iterable[str] | str | None = None,
    system: str | None = None,
    lowest_limit: int | None = None,
    inputs: Iterable[str] | str | None = None,
    fail_on: Iterable[str] | str | None = None,
    timeout: float | None = None,
    settings: hypothesis.settings | None = None,
    name: str | None = None,
) -> Callable[..., None]:
    """Make a test function of a trimmer, one test for each rule; assign it to a name that begins with `test`.

    `trim` is a function, a memory or compactor class, a `Trimmer`, or a target as on the command line. `limit` is
    what it counts (`"tokens"`), or a fixed window (`"messages=40"`). `promises` are what it is held to, instead of
    what it declares or what is assumed of a bare function. `count` measures a message or a list of them. `refuses`
    are errors that mean that nothing fits. `settings` are Hypothesis settings, by default the profile in force. The
    other options are those of `trimfuzz check`. Raises `TrimfuzzError` for what cannot be meant.
    """
    _need_settings(settings, name)
    spec = Spec.of(
        trim,
        name=name,
        format=format,
        limit=limit,
        promises=promises,
        provider=provider,
        count=count,
        call=call,
        refuses=refuses,
        in_place=in_place,
        marks=marks,
        without=without,
        system=system,
        lowest_limit=lowest_limit,
        inputs=inputs,
        fail_on=fail_on,
        timeout=timeout,
    )
    caller, in_class = _caller()
    contract = resolve(spec)
    suite = SharedRun(contract, _key(caller, contract), settings, timeout=spec.timeout)

    @pytest.mark.parametrize("rule", suite.rules())
    def test(rule: str, request: pytest.FixtureRequest) -> None:
        __tracebackhide__ = True
        _check(suite, rule, request, ["pytest", str(request.node.nodeid)])

    test.__module__, test.__qualname__ = caller, "conformance"
    test.__doc__ = f"{contract.trimmer.name} does not break this rule."
    return staticmethod(test) if in_class else test


def _need_settings(settings: object, name: object) -> None:
    """Raise `BadName` for settings or a name of another type, where it would show much later and elsewhere."""
    if settings is not None and not isinstance(settings, hypothesis.settings):
        raise BadName(f"settings are hypothesis.settings(...), not {a_kind(settings)}")
    if not isinstance(name, str | None):
        raise BadName(f"name is a string, not {a_kind(name)}")


def _caller() -> tuple[str, bool]:
    """Name the module that asks, so that what it remembers is its own; and say whether it asks in a class body."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    if frame is None:
        return "", False
    in_class = "__qualname__" in frame.f_locals and "__module__" in frame.f_locals
    return str(frame.f_globals.get("__name__", "")), in_class


def _key(place: str, contract: Contract) -> str:
    """Name what a shared run remembers."""
    return f"{place}:{contract.trimmer.name}:{contract.kind}:{contract.pack.name}"


def _check(suite: SharedRun, rule: str, request: pytest.FixtureRequest, command: list[str]) -> None:
    """Fail with the smallest cases of a rule, if it is broken."""
    __tracebackhide__ = True
    seed, said = _seed(suite, request.config)
    records = suite.broken(rule, seed=seed)
    if records:
        assumed = rule in suite.contract.assumed
        note = f"{rule} is assumed of a function that declares nothing; promises=[...] says what this one promises"
        about = [one for one in suite.contract.notes if one.startswith(("without ", "system "))]
        raise BrokenRule(records, shlex.join([*command, *said]), [note, *about] if assumed else about)
    cause = suite.explained_by(rule)
    if cause is not None:
        pytest.skip(f"{rule} is broken too, by what breaks {cause}: that test has the case")
    if not suite.is_exercised(rule):
        pytest.skip(f"{rule} was not exercised: no case could have broken it")


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
        contract = resolve(spec)
        found = SharedRun(contract, _key("--trimmer", contract), timeout=spec.timeout)
        config.stash[SUITE] = found
    return found


def spec_of_options(config: pytest.Config) -> Spec:
    """Read the plugin's options as a spec; raises `TrimfuzzError` when no target is named, or one makes no sense."""
    target, *given = (config.getoption(option_name(name)) for name in ("target", *OPTIONS))
    if target is None:
        raise BadTarget("which trimmer?", "pytest --pyargs trimfuzz.campaigns.conformance --trimmer mymodule:trim")
    names = (name.replace("-", "_") for name in OPTIONS)
    options: dict[str, Any] = dict(zip(names, given, strict=True))
    return Spec.of(target, **options)
