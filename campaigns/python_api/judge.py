"""`trimfuzz.judge`: what one trim broke, from the messages before and after it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from ...implementations.trimmer import Trimmer
from ...messages.cases import Case, Finding, Outcome
from ...messages.errors import BadHistory, BadName, a_kind
from ...messages.formats.format import Format
from ...messages.formats.registry import format_named
from ...messages.limits import Limit
from ...messages.model import History, Message
from ...oracles.judging.judging import judge as judge_outcome
from ..engine.engine import engine_for
from ..target.resolve import resolve
from ..target.spec import Spec


def judge(
    before: Sequence[Mapping[str, Any] | Message],
    after: Sequence[Mapping[str, Any] | Message],
    *,
    limit: Limit | str | None = None,
    provider: str | None = None,
    format: str | None = None,
    promises: Iterable[str] | Mapping[str, float] | str | None = None,
) -> list[Finding]:
    """Return what a trim broke that made `after` of `before`, judged as `check` judges a plain function.

    Messages are OpenAI chat dicts, or what `format` names, or neutral `Message` objects. `limit` is what was asked of
    the trim, as `"messages=4"`. `promises` replaces what is assumed of a plain function. Messages that are the same
    objects on both sides are taken for the same; others are matched by content. Raises `TrimfuzzError` for what cannot
    be read.
    """
    form = _format(format, [*_listed(before, "before"), *_listed(after, "after")])
    at = _limit(limit)
    given = Trimmer("given", lambda items, _limit, _count: items, format=form, limits=_kinds(at), bare=True)
    contract = resolve(Spec.of(given, provider=provider, promises=promises))
    case = Case(contract.example(_read(form, before, "before")), at)
    engine = engine_for(contract, observe=False)
    outcome = Outcome("ok", _read(form, after, "after"), sources=_sources(before, after))
    return judge_outcome(case, outcome, rules=engine.rules, nonempty=engine.nonempty)


def _listed(items: Any, name: str) -> list[Any]:
    if not isinstance(items, Sequence) or isinstance(items, str | bytes):
        raise BadHistory(f"{name} is a list of messages, not {a_kind(items)}")
    return list(cast("Sequence[Any]", items))


def _format(name: str | None, items: Sequence[Any]) -> Format:
    neutral = any(isinstance(item, Message) for item in items)
    return format_named(name or ("neutral" if neutral else "openai-chat"))


def _read(form: Format, items: Sequence[Any], name: str) -> History:
    try:
        return form.read_items(items)
    except BadHistory as error:
        raise BadHistory(f"{name}[{error.index}]: {error.problem}", error.hint) from None


def _limit(given: Limit | str | None) -> Limit | None:
    if given is None or isinstance(given, Limit):
        return given
    asked = Spec.of("given:given", limit=given)
    if asked.limit is None or asked.fixed is None:
        raise BadName(f"the limit {given!r} has no value", "for example messages=4")
    return Limit(asked.limit, asked.fixed)


def _kinds(limit: Limit | None) -> Any:
    return ("messages",) if limit is None else (limit.kind,)


def _sources(before: Sequence[Any], after: Sequence[Any]) -> tuple[int | None, ...] | None:
    """Return which input each output is, by identity; None where no object is on both sides."""
    place = {id(item): index for index, item in enumerate(before)}
    found = tuple(place.get(id(item)) for item in after)
    return found if any(source is not None for source in found) else None
