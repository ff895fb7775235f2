"""Folding: which findings of one case are the same bug.

A trim that drops a call breaks the rules about pairs, then those about batches, order and shape. Those are no further
bugs: a finding is explained by another finding of the same case, of a rule that is its cause, about the same unit of
the input. What is folded is decided in each case by what stands in it, so that it does not depend on the seed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from ...messages.cases import Case, Finding
from ..rules.registry import RULES

_STRANGERS = frozenset({"total-no-raise", "terminates", "no-input-mutation", "deterministic"})
"""Rules that neither explain a finding nor are explained by one."""
_PAIRING = (
    "invented-call", "nothing-duplicated", "no-orphan", "call-answered", "one-result-per-call", "unique-call-id",
    "nonempty-call-id", "batch-atomic", "result-adjacent",
)  # fmt: skip
_FAILING = frozenset({"valid", "pending"})
_NEW = frozenset({"nothing-duplicated", "invented-call"})


def _explained() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {
        "no-orphan": frozenset({"invented-call"}),
        "call-answered": _NEW | {"no-orphan"},
        "one-result-per-call": _NEW | {"no-orphan"},
        "unique-call-id": _NEW,
        "nonempty-call-id": _NEW,
    }
    table["batch-atomic"] = frozenset(table).union(*table.values())
    table["order-preserved"] = frozenset({"no-orphan", "nothing-duplicated"})
    table["result-adjacent"] = _NEW | {"no-orphan", "call-answered", "order-preserved"}
    shape = frozenset(_PAIRING) | {"order-preserved", "nothing-duplicated"}
    table.update((name, shape) for name, rule in RULES.items() if rule.group == "shape")
    table["within-limit"] = _NEW
    table["identity-under-limit"] = frozenset(RULES) - _STRANGERS - {"identity-under-limit", "utilisation"}
    return table


EXPLAINED_BY: Mapping[str, frozenset[str]] = _explained()
"""For each rule the rules that explain a finding of it in the same case; utilisation is explained over a whole run."""
ANY_UNIT = frozenset({"within-limit", "identity-under-limit"})
"""Rules whose findings are explained by a cause about any unit."""
UTILISATION_EXPLAINED_BY = frozenset({"nonempty-history", "identity-under-limit"})
"""Rules of which any bug in the run explains a low utilisation."""


def explanations(findings: Sequence[Finding]) -> list[frozenset[int]]:
    """Return for each finding of one case the indexes of the findings that explain it; none: it stands by itself.

    A finding stands for every place at which its rule was broken by its cut. It is explained only where each of these
    places is.
    """
    about = [tuple(_units(finding.case, *place) for place in _places(finding)) for finding in findings]
    found: list[frozenset[int]] = []
    for finding, places in zip(findings, about, strict=True):
        causes = [
            index
            for index, other in enumerate(findings)
            if other is not finding and other.rule in EXPLAINED_BY.get(finding.rule, ())
        ]
        if finding.rule in ANY_UNIT:
            found.append(frozenset(causes))
            continue
        explaining: set[int] = set()
        for place in places:
            here = {index for index in causes if any(_meet(place, there) for there in about[index])}
            if not here:
                explaining.clear()
                break
            explaining |= here
        found.append(frozenset(explaining))
    return found


def _places(finding: Finding) -> tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]:
    return finding.places or ((finding.messages, finding.ids),)


def _meet(one: frozenset[int | str], other: frozenset[int | str]) -> bool:
    """Say whether two places are about one unit; a place that names nothing is about the whole list."""
    return not one or not other or not one.isdisjoint(other)


def _units(case: Case, messages: Iterable[int], ids: Iterable[str]) -> frozenset[int | str]:
    """Return the units of the input that a place is about: those of its messages, else those that have its call ids.

    An id that the input does not know stands for itself.
    """
    parts = case.example.units
    found: set[int | str] = {parts.unit_of[at] for at in messages}
    if found:
        return frozenset(found)
    wanted = set(ids)
    for index, message in enumerate(case.history):
        known = {message.call_id, *(name for call in message.calls for name in (call.id, call.alt_id))}
        if wanted & known:
            found.add(parts.unit_of[index])
    return frozenset(found or wanted)


def bug_key(cause: str, fail_on: Collection[str] = _FAILING) -> str:
    """Return what causes of one bug share: the rule and the cut, and the input class where it is no failing one.

    A call that was left open by what was put behind it is the same bug as what was put there. A key is its own key.
    """
    rule, *classes, cut = cause.split("/", 2)
    if (rule, cut) == ("call-answered", "inserted-between"):
        rule = "result-adjacent"
    return "/".join((rule, *(name for name in classes if name not in fail_on), cut))
