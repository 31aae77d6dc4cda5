"""The fast road of `check`: a proof of inclusion by comparing keyword with keyword, in one walk.

`proves(a, b)` is True only where every value that `a` accepts is accepted by `b`; False says nothing. It reads plain
schemas in any dialect, and looks only at keywords that mean the same in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from typing import Any

from graphbus_core.contracts.reading.walk import SILENT, is_number

_SILENT = SILENT | {"format"}
_ALL = frozenset({"null", "boolean", "number", "string", "array", "object"})
_MAX_DEPTH = 100
_SCALARS = (str, int, float, bool, type(None))


class Glance:
    """How much may still be looked at, and which formats count as constraints.

    `sent` and `taken` say which schema (by id) an image of it was made of: what is sent of a schema lies within it, and
    it within what is taken of it (`reading.ends`). So of what two versions share nothing has to be decided.
    """

    __slots__ = ("formats", "left", "sent", "taken")

    def __init__(self, formats: frozenset[str] = frozenset(), left: int = 20_000) -> None:
        self.formats, self.left = formats, left
        self.sent: Mapping[int, int] = {}
        self.taken: Mapping[int, int] = {}


def proves(a: Any, b: Any, glance: Glance) -> bool:
    """Whether `a` within `b` is seen at a glance."""
    return _within(a, b, glance, 0)


def _within(a: Any, b: Any, glance: Glance, depth: int) -> bool:
    if b is True or a is False or b == {}:
        return True
    if glance.sent.get(id(a), id(a)) == glance.taken.get(id(b), id(b)):
        return True
    glance.left -= 1
    if glance.left < 0 or depth > _MAX_DEPTH or not (isinstance(a, dict) and isinstance(b, dict)):
        return False
    if "$ref" in a or "$dynamicRef" in a:
        return False
    formats = glance.formats
    values = _values(a)
    if values is not None:
        return _all_taken(b, values, formats)
    for key, limit in b.items():
        if key in _SILENT:
            if key == "format" and limit in formats and a.get("format") != limit and not _excludes(a, "string"):
                return False
            continue
        rule = _RULES.get(key)
        if rule is None or not rule(a, b, limit, glance, depth):
            return False
    return True


def _all_taken(b: dict[str, Any], values: list[Any], formats: frozenset[str]) -> bool:
    given = b.get("enum")
    # One look into a set for each value: two editions of an enum of 100,000 have as many on both sides.
    listed = {(type(v), v) for v in given if type(v) in _SCALARS} if isinstance(given, list) else frozenset()
    return all(_takes(b, v, formats, listed) for v in values)


def _values(schema: dict[str, Any]) -> list[Any] | None:
    """The scalar values of an enum, where that is what the schema is."""
    given = schema.get("enum")
    if not isinstance(given, list) or "$schema" in schema:
        return None
    return given if all(type(v) in _SCALARS for v in given) else None


def _takes(b: dict[str, Any], value: Any, formats: frozenset[str], listed: Set[tuple[type, Any]]) -> bool:
    """Whether a scalar is surely accepted; `listed` is what the enum of `b` holds."""
    for key, limit in b.items():
        if key == "type":
            kinds = limit if isinstance(limit, list) else [limit]
            if _kind(value) not in kinds and not (_is_int(value) and "integer" in kinds):
                return False
        elif key == "enum" and isinstance(limit, list):
            if (type(value), value) not in listed:
                return False
        elif key == "format":
            if limit in formats:
                return False
        elif key not in _SILENT:
            return False
    return True


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _types(schema: dict[str, Any]) -> Collection[Any]:
    given = schema.get("type")
    if isinstance(given, str):
        return (given,)
    return given if isinstance(given, list) else _ALL


def _excludes(a: dict[str, Any], kind: str) -> bool:
    return kind not in _types(a)


def _type(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    mine = a.get("type")
    if mine == limit and mine is not None:
        return True
    wanted = [limit] if isinstance(limit, str) else limit
    return isinstance(wanted, list) and all(t in wanted or (t == "integer" and "number" in wanted) for t in _types(a))


def _properties(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    if _excludes(a, "object"):
        return True
    mine = a.get("properties", {})
    if "patternProperties" in a or not isinstance(limit, dict) or not isinstance(mine, dict):
        return False
    rest = a.get("additionalProperties", True)
    for name, wanted in limit.items():  # noqa: SIM110 - a loop is quicker here
        if not _within(mine.get(name, rest), wanted, glance, depth + 1):
            return False
    return True


def _additional(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    if limit is True or limit == {} or _excludes(a, "object"):
        return True
    mine, named = a.get("properties", {}), b.get("properties", {})
    if "patternProperties" in a or "patternProperties" in b:
        return False
    if not _within(a.get("additionalProperties", True), limit, glance, depth + 1):
        return False
    return all(name in named or _within(field, limit, glance, depth + 1) for name, field in mine.items())


def _required(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    mine = a.get("required", ())
    return _excludes(a, "object") or (isinstance(mine, list | tuple) and all(name in mine for name in limit))


def _items(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    if _excludes(a, "array") or limit is True or limit == {}:
        return True
    if "prefixItems" in a or "prefixItems" in b:
        return False
    mine = a.get("items", True)
    return not isinstance(mine, list) and _within(mine, limit, glance, depth + 1)


def _at_least(kind: str, *keys: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
        if isinstance(limit, bool) or isinstance(b.get("exclusiveMinimum"), bool):
            return False
        return _excludes_all(a, kind) or any(is_number(a.get(k)) and a[k] >= limit for k in keys)

    return rule


def _at_most(kind: str, *keys: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
        if isinstance(limit, bool) or isinstance(b.get("exclusiveMaximum"), bool):
            return False
        return _excludes_all(a, kind) or any(is_number(a.get(k)) and a[k] <= limit for k in keys)

    return rule


def _excludes_all(a: dict[str, Any], kind: str) -> bool:
    types = _types(a)
    return kind not in types and not (kind == "number" and "integer" in types)


def _same(key: str, kind: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
        mine = a.get(key)
        return _excludes_all(a, kind) or (type(mine) is type(limit) and bool(mine == limit))

    return rule


def _any_of(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    if not isinstance(limit, list):
        return False
    mine = a.get("anyOf")
    if isinstance(mine, list) and all(any(_within(m, w, glance, depth + 1) for w in limit) for m in mine):
        return True
    return any(_within(a, wanted, glance, depth + 1) for wanted in limit)


def _all_of(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    return isinstance(limit, list) and all(_within(a, wanted, glance, depth + 1) for wanted in limit)


def _unique(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: Glance, depth: int) -> bool:
    return limit is False or a.get("uniqueItems") is True or _excludes(a, "array")


_RULES = {
    "type": _type,
    "properties": _properties,
    "additionalProperties": _additional,
    "required": lambda a, b, limit, f, d: isinstance(limit, list) and _required(a, b, limit, f, d),
    "items": _items,
    "minimum": _at_least("number", "minimum", "exclusiveMinimum"),
    "maximum": _at_most("number", "maximum", "exclusiveMaximum"),
    "exclusiveMinimum": _at_least("number", "exclusiveMinimum"),
    "exclusiveMaximum": _at_most("number", "exclusiveMaximum"),
    "minLength": _at_least("string", "minLength"),
    "maxLength": _at_most("string", "maxLength"),
    "minItems": _at_least("array", "minItems"),
    "maxItems": _at_most("array", "maxItems"),
    "minProperties": _at_least("object", "minProperties"),
    "maxProperties": _at_most("object", "maxProperties"),
    "multipleOf": _same("multipleOf", "number"),
    "pattern": _same("pattern", "string"),
    "uniqueItems": _unique,
    "anyOf": _any_of,
    "allOf": _all_of,
}
