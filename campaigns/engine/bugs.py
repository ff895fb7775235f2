"""Bugs: the findings of a run, folded so that a bug has one number.

A cause says which rule broke, on which class of input, by which cut. Causes are one bug where they share rule and cut
on input that fails, and where one explains the other in every case. What occurs alone on input that most providers
would have rejected stays apart: it has no number.
"""

from collections.abc import Collection, Iterable, Mapping

from attrs import field, frozen

from ...oracles.judging.folding import UTILISATION_EXPLAINED_BY
from .records import Record

_SAFETY = ("no-input-mutation", "total-no-raise", "terminates")
_CLASSES = ("valid", "pending", "interleaved", "malformed")


@frozen
class Bug:
    """One bug: the record to show, and the further causes that are the same bug."""

    record: Record
    also: tuple[Record, ...] = field(default=())

    @property
    def causes(self) -> tuple[str, ...]:
        """All of its causes, that of the record to show first."""
        return (self.record.cause, *(record.cause for record in self.also))


@frozen
class Folded:
    """The bugs of a run in the order of their numbers, and what stays apart: causes with no number, in groups."""

    bugs: tuple[Bug, ...]
    apart: tuple[Bug, ...]

    def number_of(self, cause: str) -> int | None:
        """Return the number of the bug that a cause belongs to, from 1; None where it has none."""
        return next((number for number, bug in enumerate(self.bugs, 1) if cause in bug.causes), None)


def fold(records: Iterable[Record], fail_on: Collection[str]) -> Folded:
    """Fold the findings of one trimmer. Records that nobody promised to keep are not to be among them."""
    given = sorted(records, key=_smallest_first)
    failing = [record for record in given if record.input_class in fail_on]
    others = [record for record in given if record.input_class not in fail_on]
    home = _homes(failing)
    homes_apart = _homes(others)
    plain = {_plain(record): key for record, key in _keys(failing, home)}
    for record in others:
        # The same rule and cut on other input is the same bug; so is what that explains.
        key = homes_apart[record.cause]
        root = next(one for one in others if one.key == key)
        if _plain(root) in plain:
            home[record.cause] = plain[_plain(root)]
    bugs = _grouped(given, home)
    apart = _grouped([record for record in others if record.cause not in home], homes_apart)
    return Folded(tuple(sorted(bugs, key=_by_number)), tuple(sorted(apart, key=_by_number)))


def _plain(record: Record) -> str:
    rule = "result-adjacent" if (record.rule, record.cut) == ("call-answered", "inserted-between") else record.rule
    return f"{rule}/{record.cut}"


def _keys(records: Iterable[Record], home: Mapping[str, str]) -> Iterable[tuple[Record, str]]:
    return ((record, home[record.cause]) for record in records)


def _homes(records: Collection[Record]) -> dict[str, str]:
    """Return for each cause the bug that it belongs to."""
    standing = {record.key for record in records if not record.explained_by}
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


def _named(records: Iterable[Record], rules: Collection[str]) -> set[str]:
    return {record.key for record in records if record.rule in rules and not record.explained_by}


def _root(bug: str, standing: set[str], parents: Mapping[str, list[str]]) -> str:
    """Follow what explains a bug up to one that stands by itself; one that leads nowhere stands by itself too."""
    seen, left = {bug}, [bug]
    while left:
        here = left.pop(0)
        if here in standing:
            return here
        new = [one for one in parents.get(here, ()) if one not in seen]
        seen.update(new)
        left.extend(new)
    return bug


def _grouped(records: Iterable[Record], home: Mapping[str, str]) -> list[Bug]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        if record.cause in home:
            groups.setdefault(home[record.cause], []).append(record)
    bugs: list[Bug] = []
    for key, found in groups.items():
        first = min(found, key=lambda record: (record.key != key, bool(record.explained_by), *_smallest_first(record)))
        bugs.append(Bug(first, tuple(record for record in found if record is not first)))
    return bugs


def _smallest_first(record: Record) -> tuple[list[int], int, str]:
    return record.size, _CLASSES.index(record.input_class), record.cause


def _by_number(bug: Bug) -> tuple[int, list[int], str]:
    record = bug.record
    return _level(record), record.size, record.cause


def _level(record: Record) -> int:
    """Order bugs: pairing, safety, shape, promises."""
    if record.kind == "always":
        return int(record.rule in _SAFETY)
    return 2 if record.kind == "pack" else 3
