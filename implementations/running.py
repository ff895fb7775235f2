"""Running a trimmer on one case: a fresh history in, exactly one outcome out, whatever the trimmer does.

The input is written twice. The first copy is handed over; the second is what it must still equal afterwards. Output
items that are the very objects of the input are known by identity, and are not read again unless they were changed.
"""

import inspect
import os
import signal
from asyncio import Runner
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import is_
from typing import Any, cast

from attrs import evolve

from ..messages.cases import Case, Failure, Outcome
from ..messages.errors import BadHistory, CannotCarry, a_kind
from ..messages.formats.counting import Count
from ..messages.model import History, Message
from .time_limit import Hung, Watch
from .trimmer import Traced, TrimCall, Trimmer

LONGEST_OUTPUT = 100_000
BELOW_ONE = "a ValueError below a limit of 1"
"""The detail of a refusal that nobody declared."""


@lru_cache(maxsize=1)
def _event_loop() -> Runner:
    return Runner()


def run(trimmer: Trimmer, case: Case, *, count: Count, watch: Watch | None = None) -> Outcome:
    """Run a trimmer on a case and return its outcome; raises only what means "stop" (KeyboardInterrupt).

    `count` measures native items; `watch` bounds the time (without one a hang is the caller's).
    """
    history, write = case.history, trimmer.format.write
    try:
        items = [write(message) for message in history]
    except CannotCarry as error:
        # A trimmer's own output, or what shrinking made of a history, can hold what its format has no place for.
        return Outcome("skipped", failure=Failure("CannotCarry", str(error)))
    handed = list(items)
    process = os.getpid()
    try:
        if watch is not None:
            watch.start()
        result = _call(case, trimmer)(handed, _limit_value(case, trimmer), count)
        if type(result) is not list:
            if inspect.isawaitable(result):
                result = _event_loop().run(_finish(result))
            elif inspect.isasyncgen(result):
                result = _event_loop().run(_collected(result))
        traced = result if isinstance(result, Traced) else None
        result = _as_list(result if traced is None else traced.items, handed, trimmer)
    except Hung:
        return Outcome("hung", failure=Failure("hung", f"no answer in {watch.seconds:g} s" if watch else ""))
    except ProtocolError as error:
        return _with_input(
            Outcome("protocol-error", failure=Failure("protocol-error", str(error))), case, trimmer, items, handed
        )
    except KeyboardInterrupt as error:
        # Where Ctrl-C is switched off (in a worker process) it is the trimmer that raised it.
        if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise
        return _with_input(_raised(error, trimmer, case), case, trimmer, items, handed)
    except BaseException as error:
        return _with_input(_raised(error, trimmer, case), case, trimmer, items, handed)
    finally:
        if os.getpid() != process:
            os._exit(0)  # a copy of this process that the trimmer forked and forgot: only the original goes on
        if watch is not None:
            watch.stop()
    outcome = _read_output(result, case, trimmer, items, handed, None if traced is None else traced.sources)
    return outcome if traced is None else _with_what_was_told(outcome, traced, case, trimmer, items)


def _call(case: Case, trimmer: Trimmer) -> TrimCall:
    if trimmer.per_kind and case.limit is not None:
        return trimmer.per_kind.get(case.limit.kind, trimmer.trim)
    return trimmer.trim


def _limit_value(case: Case, trimmer: Trimmer) -> Any:
    limit = case.limit
    if limit is None:
        return trimmer.fixed
    return limit if limit.kind == "compaction" else limit.value


async def _finish(result: Any) -> Any:
    return await result


async def _collected(result: AsyncIterable[Any]) -> list[Any]:
    found: list[Any] = []
    async for item in result:
        found.append(item)
        if len(found) > LONGEST_OUTPUT:
            break
    return found


class ProtocolError(Exception):
    """The trimmer answered with something that is no history."""


def _as_list(result: Any, handed: list[Any], trimmer: Trimmer) -> list[Any]:
    """Read the return value as a list; a generator runs here, so its errors and its time are the trimmer's."""
    if trimmer.in_place and (result is None or result is handed):
        return list(handed)
    if isinstance(result, list):
        return cast("list[Any]", result)
    if result is None or isinstance(result, str | bytes | Mapping) or not isinstance(result, Iterable):
        raise ProtocolError(f"returned {a_kind(cast('object', result))}, not a list of messages")
    found = list(islice(cast("Iterable[Any]", result), LONGEST_OUTPUT + 1))
    if len(found) > LONGEST_OUTPUT:
        raise ProtocolError(f"returned more than {LONGEST_OUTPUT} messages")
    return found


def _raised(error: BaseException, trimmer: Trimmer, case: Case) -> Outcome:
    declared = isinstance(error, trimmer.refuses)
    small = case.limit is not None and case.limit.kind != "compaction" and case.limit.value < 1
    taken_for_one = not declared and small and isinstance(error, ValueError)
    failure = Failure(type(error).__name__, _text_of(error), detail=BELOW_ONE if taken_for_one else "")
    return Outcome("refused" if declared or taken_for_one else "raised", failure=failure)


def _text_of(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # somebody's error may not even have words
        return ""


def _read_output(
    result: list[Any],
    case: Case,
    trimmer: Trimmer,
    items: list[Any],
    handed: list[Any],
    told: Sequence[int | None] | None,
) -> Outcome:
    history = case.history
    mutated, after, list_changed = _compare(case, trimmer, items, handed)
    # Maps of built-ins, since this runs for every message of every trim.
    index_of = dict(zip(map(id, items), range(len(items)), strict=True))
    sources = tuple(map(index_of.get, map(id, result)))
    if None not in sources and not mutated:
        output: History = tuple(map(history.__getitem__, cast("tuple[int, ...]", sources)))
        return Outcome("ok", output, sources=sources if told is None else tuple(told), list_changed=list_changed)
    read, changed = trimmer.format.read, frozenset(mutated)
    found: list[Message] = []
    for index, (item, source) in enumerate(zip(result, sources, strict=True)):
        if source is not None and source not in changed:
            found.append(history[source])
            continue
        try:
            found.append(read(item))
        except Exception as error:  # whatever was returned is asked to be a message: it may answer anything
            said = str(error) if isinstance(error, BadHistory) else _unreadable(error)
            failure = Failure("protocol-error", f"output message {index}: {said}")
            return Outcome("protocol-error", failure=failure, mutated=mutated, list_changed=list_changed, after=after)
    if told is not None:
        sources = tuple(told)
    return Outcome("ok", tuple(found), sources=sources, mutated=mutated, list_changed=list_changed, after=after)


def _with_what_was_told(outcome: Outcome, traced: Traced, case: Case, trimmer: Trimmer, items: list[Any]) -> Outcome:
    """Add the request that goes out with the items, and what is stored beside them."""
    if outcome.status != "ok" or (traced.request is None and traced.stored is None):
        return outcome
    stored: History | None = None
    if traced.stored is not None:
        known = dict(zip(map(id, items), case.history, strict=True))
        stored = tuple(known.get(id(item)) or trimmer.format.read(item) for item in traced.stored)
    return evolve(outcome, request=traced.request, stored=stored)


def _unreadable(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it cannot be read: it contains itself"
    return f"it cannot be read: {type(error).__name__}: {error}"


def _with_input(outcome: Outcome, case: Case, trimmer: Trimmer, items: list[Any], handed: list[Any]) -> Outcome:
    """Add to an outcome without output what became of the input: an error is no licence to change it."""
    mutated, after, list_changed = _compare(case, trimmer, items, handed)
    if not mutated and not list_changed:
        return outcome
    return Outcome(outcome.status, failure=outcome.failure, mutated=mutated, list_changed=list_changed, after=after)


def _pristine(case: Case, trimmer: Trimmer) -> list[Any]:
    """Return the input as it was written; made once for all limits of a history, and never handed out."""
    memo, key = case.example.memo, ("pristine", trimmer.format.name)
    if key not in memo:
        memo[key] = trimmer.format.write_items(case.history)
    return cast("list[Any]", memo[key])


def _compare(
    case: Case, trimmer: Trimmer, items: list[Any], handed: list[Any]
) -> tuple[tuple[int, ...], History | None, bool]:
    pristine = _pristine(case, trimmer)
    list_changed = not trimmer.in_place and not (len(handed) == len(items) and all(map(is_, handed, items)))
    try:
        if items == pristine:
            return (), None, list_changed
    except Exception:  # a message was changed into something that cannot even be compared
        pass
    mutated = tuple(index for index, (now, then) in enumerate(zip(items, pristine, strict=True)) if _differ(now, then))
    try:
        after = trimmer.format.read_items(items)
    except Exception:
        after = None
    return mutated, after, list_changed


def _differ(now: Any, then: Any) -> bool:
    try:
        return bool(now != then)
    except Exception:
        return True
