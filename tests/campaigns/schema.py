"""As much of JSON Schema as the published schemas use."""

from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
_SAID = frozenset({"$schema", "$defs", "title", "description"})
_KNOWN = _SAID | {"$ref", "oneOf", "type", "const", "enum", "required", "properties", "items", "minimum"}


def problems(value: Any, schema: dict[str, Any], root: dict[str, Any] | None = None, place: str = "$") -> list[str]:
    """Return where a value does not keep to a schema; a word that is not known here is an error of the schema."""
    root = root or schema
    unknown = set(schema) - _KNOWN
    assert not unknown, f"{place}: this validator does not know {sorted(unknown)}"
    if "$ref" in schema:
        return problems(value, _followed(schema["$ref"], root), root, place)
    found: list[str] = []
    if "type" in schema and not _is(value, schema["type"]):
        return [f"{place}: {value!r:.60} is not {schema['type']}"]
    if "const" in schema and value != schema["const"]:
        found.append(f"{place}: {value!r:.60} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{place}: {value!r:.60} is not one of {schema['enum']}")
    if "minimum" in schema and value < schema["minimum"]:
        found.append(f"{place}: {value} is below {schema['minimum']}")
    if isinstance(value, dict):
        found += [f"{place}: {key} is missing" for key in schema.get("required", ()) if key not in value]
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                found += problems(value[key], inner, root, f"{place}.{key}")
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            found += problems(item, schema["items"], root, f"{place}[{index}]")
    if "oneOf" in schema:
        tries = [problems(value, inner, root, place) for inner in schema["oneOf"]]
        if sum(not wrong for wrong in tries) != 1:
            found += min(tries, key=len) or [f"{place}: more than one form fits"]
    return found


def _followed(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


def _is(value: Any, kinds: str | list[str]) -> bool:
    names = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names)
