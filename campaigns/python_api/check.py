"""`trimfuzz.check`: validate one trimmer, and get back what was found."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from attrs import field, frozen

from ...implementations.trimmer import Trimmer
from ...messages.formats.counting import Count
from ..defaults import EXAMPLES, SECONDS, SHRINK_SECONDS
from ..engine.bugs import Bug
from ..engine.records import Record
from ..reports.canvas import Canvas
from ..reports.check_view import check_report
from ..reports.documents import check_document
from ..reports.plain_text import WIDTH, plain_text
from ..runs.check import Checked
from ..runs.check import check as run_check
from ..runs.search import drawn_seed
from ..store.accepted import read_accepted
from ..store.last import store_last
from ..target.options import read_refusals
from ..target.spec import Spec
from .naming import name_of_object, need_parent_process, target_text


@frozen
class CheckResult:
    """What a check found. Printed, it is the report of `trimfuzz check`."""

    _checked: Checked = field(alias="checked")
    _spec: Spec = field(alias="spec")
    _examples: int | None = field(alias="examples")
    _files: Mapping[str, Path] = field(alias="files", factory=dict[str, Path])

    @property
    def bugs(self) -> tuple[Bug, ...]:
        """What fails the trimmer, folded and numbered: pairing, safety, shape, promises; the smaller case first."""
        return self._checked.found.failing

    @property
    def causes(self) -> tuple[Record, ...]:
        """Every broken rule with each input class and cut; `bug` is the number of the bug it belongs to, or None."""
        return self._checked.found.causes

    @property
    def apart(self) -> tuple[Bug, ...]:
        """What was found on interleaved or malformed input alone, which does not fail unless that was asked for."""
        return self._checked.found.apart

    @property
    def edge(self) -> tuple[Record, ...]:
        """What would fail, but at edge limits alone (`lowest_limit`)."""
        return self._checked.edge

    @property
    def promises(self) -> dict[str, Literal["kept", "broken", "not judged"]]:
        """What became of each promise that the trimmer made, or that was assumed of it."""
        kept, broken = self._checked.kept, self._checked.broken
        return {
            name: "kept" if name in kept else "broken" if name in broken else "not judged"
            for name in self._checked.contract.promises
        }

    @property
    def seed(self) -> int:
        """The seed that was drawn, or asked for: with it the same cases are tried again."""
        return self._checked.seed

    @property
    def exit_code(self) -> int:
        """What the command would exit with: 0 nothing that fails, 1 something, 2 too little could be judged."""
        return self._checked.exit_code

    def to_json(self) -> dict[str, Any]:
        """Return the document that `trimfuzz check --json` prints."""
        return check_document(self._checked, self._spec, examples=self._examples, fixtures=self._files)

    def __repr__(self) -> str:
        target, bugs = self._checked.contract.trimmer, len(self.bugs)
        return f"<CheckResult of {target}: {bugs} bug{'' if bugs == 1 else 's'}, exit code {self.exit_code}>"

    def __str__(self) -> str:
        options: dict[str, Any] = {"examples": self._examples, "fixtures": self._files}
        return plain_text(check_report(self._checked, self._spec, Canvas(WIDTH), **options))


def check(
    target: Callable[..., Any] | Trimmer | type | str,
    /,
    *,
    format: str | None = None,
    limit: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | str | None = None,
    promise: Iterable[str] | Mapping[str, float] | str | None = None,
    no_promise: Iterable[str] | str | None = None,
    provider: str | None = None,
    count: Count | str | None = None,
    call: str | None = None,
    refuses: Iterable[type[BaseException] | str] | type[BaseException] | str | None = None,
    in_place: bool | None = None,
    marks: bool | str | None = None,
    without: Iterable[str] | str | None = None,
    system: str | None = None,
    lowest_limit: int | str | None = None,
    inputs: Iterable[str] | str | None = None,
    fail_on: Iterable[str] | str | None = None,
    timeout: float | str | None = None,
    examples: int = EXAMPLES,
    seconds: float = SECONDS,
    shrink: float = SHRINK_SECONDS,
    seed: int | None = None,
    known: Path | str | None = None,
) -> CheckResult:
    """Validate one trimmer in a process of its own, as `trimfuzz check` does, and return what was found.

    `target` is text as on the command line, or a function or class that stands at the top of a module. `promises`
    replaces what it declares and what is assumed of it, `promise` adds to that. `examples` histories are generated
    within `seconds` (0: no bound), then each cause is shrunk for at most `shrink` seconds. `known` names a file of
    accepted findings. What was found is stored below `.trimfuzz/last`. The other options are those of the command.
    Raises `TrimfuzzError` for what cannot be meant, or cannot be run.
    """
    need_parent_process()
    spec = Spec.of(
        target_text(target),
        format=format,
        limit=limit,
        promises=promises,
        promise=promise,
        no_promise=no_promise,
        provider=provider,
        count=name_of_object(count) if callable(count) else count,
        call=call,
        refuses=_names(refuses),
        in_place=in_place,
        marks=marks,
        without=without,
        system=system,
        lowest_limit=lowest_limit,
        inputs=inputs,
        fail_on=fail_on,
        timeout=timeout,
    )
    checked = run_check(
        spec,
        examples=examples,
        seconds=seconds,
        seed=drawn_seed(seed),
        shrink_seconds=shrink,
        accepted=() if known is None else read_accepted(Path(known)),
    )
    if checked.interrupted:
        raise KeyboardInterrupt
    files = store_last(checked.stored, spec=spec, contract=checked.contract, seed=checked.seed)
    return CheckResult(checked, spec, None if examples == EXAMPLES else examples, files)


def _names(refuses: object) -> tuple[str, ...]:
    """Return error classes by name, since another process must find them."""
    names, classes = read_refusals(refuses)
    return (*names, *map(name_of_object, classes))
