"""Detection: what format a request has, read off the request itself.

It is a request body, a list of messages or items, or the lines of a JSONL file. Each format has signs that no other
has (`Format.signs`): a block type, a key, a parameter of the request. One format with signs is the answer; signs of two
are an error that shows one of each; a list that says nothing but roles and strings is of the plainest format. System
prompts that a request has outside of its list become the list's first items, as a trimmer sees them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from attrs import frozen

from ..errors import BadHistory, a_kind
from ..model import History, Message
from ..requests import Request
from .format import Format
from .registry import format_named, formats


@frozen
class ReadRequest:
    """A request, or a list of messages, as it was read from a file.

    `items` are what a trimmer of this format is handed, `sent` the history in the format's own shape, one message for
    each item, as rules about turns want it, and `sent_where` the path of each in the file (`messages[3]`, `system`).
    `history` is the plain history, with every result as a message of its own, and `where` its paths
    (`messages[3].content[1]`). `tools` are the names of the declared tools, None where the file is no request.
    `anchored`: what came before stands on the server; `references` are the indexes of items that stand for one there.
    """

    format: str
    items: tuple[Any, ...]
    sent: History
    sent_where: tuple[str, ...]
    history: History
    where: tuple[str, ...]
    tools: tuple[str, ...] | None = None
    anchored: bool = False
    references: tuple[int, ...] = ()
    model: str | None = None

    @property
    def request(self) -> Request:
        """What is known of the request beside its history: the tools that it declares."""
        return Request(self.tools)


def read_request(data: object, *, format: str | None = None) -> ReadRequest:
    """Read parsed JSON: a request body, a list of messages or items, or of JSONL lines; `format` names it where known.

    Raises `BadHistory` with one sentence, and the path of what is wrong.
    """
    body, key, given = _list_in(data)
    paths = [f"{key}[{index}]" for index in range(len(given))]
    items, paths = _unwrapped(given, paths)
    known = formats().values()
    form = _in_files(format_named(format or _format_of(body, items, paths)))
    lead, lead_paths = _system_items(body, form)
    items, paths = [*lead, *items], [*lead_paths, *paths]
    try:
        sent = form.read_items(items)
    except BadHistory as error:
        where = f"{paths[error.index]}: " if error.index is not None else ""
        raise BadHistory(f"{where}{error.problem}", error.hint) from None
    history, where = _plain(form, items, sent, paths)
    model_keys = ("model", *(one.signs.model_key for one in known))
    model = next((body[key] for key in model_keys if key is not None and body.get(key)), None)
    return ReadRequest(
        form.name,
        tuple(items),
        sent,
        tuple(paths),
        history,
        where,
        _tools(body) if body else None,
        any(body.get(key) for one in known for key in one.signs.anchor_keys),
        tuple(index for index, item in enumerate(items) if _refers(item)),
        model if isinstance(model, str) else None,
    )


def _in_files(form: Format) -> Format:
    """Return a format as a file holds it; raises `BadHistory` where its items are no JSON."""
    if form.dicts:
        return form
    if form.in_files is None:
        known = [name for name, other in formats().items() if other.dicts or other.in_files is not None]
        raise BadHistory(
            f"the items of {form.name} are objects of a program, and no JSON", "formats of files: " + ", ".join(known)
        )
    return form.in_files


def _refers(item: Any) -> bool:
    """Say whether an item stands for one that the server holds."""
    if not isinstance(item, Mapping):
        return False
    return any(form.signs.refers(cast("Mapping[str, Any]", item)) for form in formats().values())


def _list_in(data: object) -> tuple[Mapping[str, Any], str, list[Any]]:
    """Return the request (empty for a bare list), the key of its list, and the list."""
    if isinstance(data, list | tuple):
        lines = list(cast("Sequence[Any]", data))
        if len(lines) == 1 and _key_of(lines[0]) is not None:
            return _list_in(lines[0])
        return {}, "messages", lines
    if not isinstance(data, Mapping):
        raise BadHistory("a transcript is a request, or a list of messages", f"this is {a_kind(data)}")
    body = cast("Mapping[str, Any]", data)
    for wrapper in ("request", "body"):
        if _key_of(body.get(wrapper)) is not None:
            body = cast("Mapping[str, Any]", body[wrapper])
    key = _key_of(body)
    if key is None:
        *others, last = _list_keys()
        raise BadHistory(f"no {', '.join(others)} or {last} in it", f"its keys: {', '.join(map(str, body)) or 'none'}")
    found = body[key]
    return body, key, [{"role": "user", "content": found}] if isinstance(found, str) else list(found)


def _key_of(body: object) -> str | None:
    """Return the key of the list in a request; None for what is no request."""
    known: Mapping[str, Any] = cast("Mapping[str, Any]", body) if isinstance(body, Mapping) else {}
    for key, may_be_text in _list_keys().items():
        if isinstance(known.get(key), list) or (may_be_text and isinstance(known.get(key), str)):
            return key
    return None


def _list_keys() -> dict[str, bool]:
    """Return the keys under which a request has its list, and whether it may be one string there."""
    signs = [form.signs for form in formats().values()]
    return {"messages": False} | {one.list_key: one.list_may_be_text for one in signs if one.list_key is not None}


def _unwrapped(given: list[Any], paths: list[str]) -> tuple[list[Any], list[str]]:
    """Take messages out of JSONL lines that log them with something around; lines without a message are left out."""
    wrapped = [isinstance(line, Mapping) and isinstance(cast("Any", line).get("message"), Mapping) for line in given]
    if not any(wrapped):
        return given, paths
    kept = [index for index, has in enumerate(wrapped) if has]
    return [given[index]["message"] for index in kept], [f"{paths[index]}.message" for index in kept]


def _format_of(body: Mapping[str, Any], items: list[Any], paths: list[str]) -> str:
    found: dict[str, str] = {}
    for name, path in _signs_of_request(body):
        found.setdefault(name, path)
    for item, path in zip(items, paths, strict=True):
        if isinstance(item, Mapping):
            for name, place in _signs(cast("Mapping[str, Any]", item)):
                found.setdefault(name, f"{path}{place}")
    if len(found) > 1:
        seen = " and ".join(f"of {name} ({path})" for name, path in found.items())
        raise BadHistory(f"this has signs {seen}", "say which it is")
    return next(iter(found)) if found else next(name for name, form in formats().items() if form.signs.plainest)


def _signs_of_request(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    signs = [(name, form.signs) for name, form in formats().items()]
    for key in body:
        yield from ((name, key) for name, known in signs if key in known.request_keys)
    system = body.get("system")
    if isinstance(system, list) and all(isinstance(block, Mapping) for block in cast("list[Any]", system)):
        yield from ((name, "system") for name, known in signs if known.system_blocks(cast("list[Any]", system)))
    tools = body.get("tools")
    for tool in cast("list[Any]", tools) if isinstance(tools, list) else ():
        if isinstance(tool, Mapping):
            keys = cast("Mapping[str, Any]", tool).keys()
            yield from ((name, "tools") for name, known in signs if not known.tool_keys.isdisjoint(keys))


def _signs(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield formats that alone have something in this item, with the path of it inside the item."""
    signs = [(name, form.signs) for name, form in formats().items()]
    kind = item.get("type")
    typed = [name for name, known in signs if isinstance(kind, str) and known.item_type(kind)]
    if typed:
        yield from ((name, ".type") for name in typed)
        return
    for name, known in signs:
        yield from ((name, f".{key}") for key in known.item_keys if key in item)
    for name, known in signs:
        path = known.item(item)
        if path is not None:
            yield name, path
    content = item.get("content")
    for index, block in enumerate(cast("list[Any]", content) if isinstance(content, list) else ()):
        if isinstance(block, Mapping):
            yield from ((name, f".content[{index}]") for name in _formats_with(cast("Mapping[str, Any]", block)))


def _formats_with(block: Mapping[str, Any]) -> Iterator[str]:
    """Yield the formats that have such a block."""
    kind = block.get("type")
    for name, form in formats().items():
        if (isinstance(kind, str) and kind in form.signs.block_types) or form.signs.block(block):
            yield name


def _system_items(body: Mapping[str, Any], form: Format) -> tuple[list[Any], list[str]]:
    for key in ("system", *(key for known in formats().values() for key in known.signs.system_keys)):
        if body.get(key):
            return [form.signs.system_item(body[key])], [key]
    return [], []


def _tools(body: Mapping[str, Any]) -> tuple[str, ...]:
    given = body.get("tools")
    for form in formats().values():
        under = body.get(form.signs.tools_under or "")
        if isinstance(under, Mapping):
            given = cast("Mapping[str, Any]", under).get("tools")
    if isinstance(given, Mapping):
        return tuple(map(str, cast("Mapping[str, Any]", given)))
    return tuple(name for tool in cast("list[Any]", given or ()) for name in _tool_names(tool))


def _tool_names(tool: Any) -> Iterator[str]:
    if not isinstance(tool, Mapping):
        return
    known = cast("Mapping[str, Any]", tool)
    signs = [form.signs for form in formats().values()]
    declared = next((known[key] for one in signs for key in one.tool_lists if known.get(key)), None)
    for one in cast("list[Any]", declared) if isinstance(declared, list) else ():
        yield from _tool_names(one)
    inner = next((known[key] for one in signs for key in one.tool_specs if known.get(key)), known)
    name = cast("Mapping[str, Any]", inner).get("name") if isinstance(inner, Mapping) else None
    if isinstance(name, str):
        yield name


def _plain(form: Format, items: list[Any], sent: History, paths: list[str]) -> tuple[History, tuple[str, ...]]:
    """Return the plain history and the path of each of its messages."""
    history: list[Message] = []
    where: list[str] = []
    for item, message, path in zip(items, sent, paths, strict=True):
        joined = form.plain((history[-1], message)) if history else ()
        if len(joined) == 1:
            history[-1] = joined[0]
            continue
        pieces = form.plain((message,))
        history.extend(pieces)
        inside = [""] if len(pieces) == 1 else form.paths(item)[: len(pieces)]
        where.extend(f"{path}{place}" for place in inside)
    return tuple(history), tuple(where)
