"""Bugs: the causes of a run, folded so that a bug has one number.

A cause says which rule broke, on which class of input, by which cut. Causes are one bug where they share rule and cut,
and where one explains the other in its case. What occurs alone on input that most providers would have rejected stays
apart: it has no number.
"""

from collections.abc import Collection, Iterable, Mapping

from attrs import evolve, field, frozen

from ...messages.limits import Limit
from ...messages.reading.pairing import INPUT_CLASSES
from ...oracles.judging.folding import UTILISATION_EXPLAINED_BY, bug_key
from ..target.contract import Kind
from .records import JsonHistory, Record

_SAFETY = ("no-input-mutation", "total-no-raise", "terminates")


@frozen
class Bug:
    """One bug: its number from 1, the record to show, and the further causes that are the same bug.

    What stays apart has the same form, and no number.
    """

    number: int | None
    record: Record
    also: tuple[Record, ...] = field(default=())

    @property
    def records(self) -> tuple[Record, ...]:
        """All of its causes, the one to show first."""
        return (self.record, *self.also)

    @property
    def fails(self) -> bool:
        """Whether it fails the trimmer (exit code 1)."""
        return self.record.fails

    @property
    def rule(self) -> str:
        """The rule that broke."""
        return self.record.rule

    @property
    def cause(self) -> str:
        """Rule, input class and cut of its smallest case."""
        return self.record.cause

    @property
    def kind(self) -> Kind:
        """Why it counts: always, pack or promise."""
        return self.record.kind

    @property
    def input_class(self) -> str:
        """The input class of its smallest case."""
        return self.record.input_class

    @property
    def history(self) -> JsonHistory:
        """The history of its smallest case."""
        return self.record.history

    @property
    def limit(self) -> Limit | None:
        """The limit of its smallest case."""
        return self.record.limit

    @property
    def output(self) -> JsonHistory | None:
        """What came back there; None where nothing did."""
        return self.record.output

    @property
    def message(self) -> str:
        """A sentence for a person."""
        return self.record.message

    @property
    def provider_error(self) -> str | None:
        """What the provider answers, where its words are known."""
        return self.record.provider_error


@frozen
class Folded:
    """The bugs of a run in the order of their numbers, and what stays apart."""

    bugs: tuple[Bug, ...] = field(default=())
    apart: tuple[Bug, ...] = field(default=())

    @property
    def causes(self) -> tuple[Record, ...]:
        """Every cause, those of a bug together; each has the number of its bug, or none."""
        return tuple(record for bug in (*self.bugs, *self.apart) for record in bug.records)

    @property
    def failing(self) -> tuple[Bug, ...]:
        """The bugs that fail the trimmer."""
        return tuple(bug for bug in self.bugs if bug.fails)


def fold(records: Iterable[Record], fail_on: Collection[str]) -> Folded:
    """Fold the findings of one trimmer. Records that nobody promised to keep are not to be among them."""
    given = sorted(records, key=_smallest_first)
    failing = [record for record in given if record.input_class in fail_on]
    others = [record for record in given if record.input_class not in fail_on]
    home = _homes(failing)
    homes_apart = _homes(others)
    plain = {_plain(record): home[record.cause] for record in failing}
    plain_apart: dict[str, str] = {}
    for record in others:
        # The same rule and cut on other input is the same bug; so is what that explains.
        root = next(one for one in others if one.key == homes_apart[record.cause])
        plain_apart[record.cause] = _plain(root)
        if _plain(root) in plain:
            home[record.cause] = plain[_plain(root)]
    bugs = _grouped(given, home, fail_on)
    apart = _grouped([record for record in others if record.cause not in home], plain_apart, fail_on)
    return Folded(numbered(bugs), tuple(sorted(apart, key=_order)))


def numbered(bugs: Iterable[Bug]) -> tuple[Bug, ...]:
    """Return bugs in the order of their numbers: what fails comes first."""
    order = sorted(bugs, key=lambda bug: (not bug.fails, *_order(bug)))
    return tuple(_numbered(bug, number) for number, bug in enumerate(order, 1))


def _numbered(bug: Bug, number: int) -> Bug:
    """Give a bug its number; all its causes have it, and fail as it does."""
    fails, accepted = bug.record.fails, bug.record.accepted
    first, *also = (evolve(record, bug=number, fails=fails, accepted=accepted) for record in bug.records)
    return Bug(number, first, tuple(also))


def _plain(record: Record) -> str:
    return bug_key(record.cause, INPUT_CLASSES)


def _homes(records: Collection[Record]) -> dict[str, str]:
    """Return for each cause the key of the bug that it belongs to."""
    standing = _standing(records)
    if standing & _named(records, UTILISATION_EXPLAINED_BY):
        standing -= _named(records, ("utilisation",))
    parents: dict[str, list[str]] = {}
    for record in records:
        if record.key not in standing:
            wanted = record.explained_by
            if record.rule == "utilisation":
                wanted = sorted(standing & _named(records, UTILISATION_EXPLAINED_BY))
            parents.setdefault(record.key, []).extend(wanted)
    return {record.cause: _root(record.key, standing, parents) for record in records}


def _standing(records: Iterable[Record]) -> set[str]:
    """Return the bugs that stand by themselves: on valid input, where they occur there.

    The same cut on pending input, whose results are still to come, shows less of what it does: it decides nothing.
    """
    by_key: dict[str, list[Record]] = {}
    for record in records:
        by_key.setdefault(record.key, []).append(record)
    found: set[str] = set()
    for key, same in by_key.items():
        decisive = [record for record in same if record.input_class == "valid"] or same
        if any(not record.explained_by for record in decisive):
            found.add(key)
    return found


def _named(records: Iterable[Record], rules: Collection[str]) -> set[str]:
    return {record.key for record in records if record.rule in rules and not record.explained_by}


def _root(key: str, standing: set[str], parents: Mapping[str, list[str]]) -> str:
    """Follow what explains a bug up to one that stands by itself; one that leads nowhere stands by itself too."""
    seen, left = {key}, [key]
    while left:
        here = left.pop(0)
        if here in standing:
            return here
        new = [one for one in parents.get(here, ()) if one not in seen]
        seen.update(new)
        left.extend(new)
    return key


def _grouped(records: Iterable[Record], home: Mapping[str, str], fail_on: Collection[str]) -> list[Bug]:
    """Put causes of one home together, the one to show first: what gave its name, stands by itself, and is smallest."""

    def to_show(record: Record, key: str) -> tuple[bool, bool, bool, list[int], int, str]:
        called = _plain(record) == key and not record.explained_by
        return record.input_class not in fail_on, not called, bool(record.explained_by), *_smallest_first(record)

    groups: dict[str, list[Record]] = {}
    for record in records:
        if record.cause in home:
            groups.setdefault(home[record.cause], []).append(record)
    bugs: list[Bug] = []
    for key, found in groups.items():
        first = min(found, key=lambda record, key=key: to_show(record, key))
        rest = sorted((one for one in found if one is not first), key=lambda one: INPUT_CLASSES.index(one.input_class))
        bugs.append(Bug(None, first, tuple(rest)))
    return bugs


def _smallest_first(record: Record) -> tuple[list[int], int, str]:
    return record.size, INPUT_CLASSES.index(record.input_class), record.cause


def _order(bug: Bug) -> tuple[int, list[int], str]:
    return _level(bug.record), bug.record.size, bug.record.cause


def _level(record: Record) -> int:
    """Order bugs: pairing, safety, shape, promises."""
    if record.kind == "always":
        return int(record.rule in _SAFETY)
    return 2 if record.kind == "pack" else 3
