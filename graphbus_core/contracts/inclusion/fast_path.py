"""The fast road of `check`: a proof of inclusion by comparing keyword with keyword, in one walk.

`prove_inclusion(a, b)` is True only where every value that `a` accepts is accepted by `b`; False says nothing. It reads
plain
schemas in any dialect, and looks only at keywords that mean the same in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from typing import Any

from graphbus_core.contracts.parsing.json_schema import SILENT, is_number

_SILENT = SILENT | {"format"}
_ALL = frozenset({"null", "boolean", "number", "string", "array", "object"})
_MAX_DEPTH = 100
_SCALARS = (str, int, float, bool, type(None))


class FastPathState:
    """How much may still be looked at, and which formats count as constraints.

    `sent` and `taken` say which schema (by id) an image of it was made of: what is sent of a schema lies within it, and
    it within what is taken of it (`reading.ends`). So of what two versions share nothing has to be decided.
    """

    __slots__ = ("formats", "left", "sent", "taken")

    def __init__(self, formats: frozenset[str] = frozenset(), pairs_left: int = 20_000) -> None:
        self.formats, self.left = formats, pairs_left
        self.sent: Mapping[int, int] = {}
        self.taken: Mapping[int, int] = {}


def prove_inclusion(a: Any, b: Any, glance: FastPathState) -> bool:
    """Whether `a` within `b` is seen at a glance."""
    return _is_within(a, b, glance, 0)


def _is_within(a: Any, b: Any, glance: FastPathState, depth: int) -> bool:
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
    values = _find_enum_values(a)
    if values is not None:
        return _are_all_accepted(b, values, formats)
    for key, limit in b.items():
        if key in _SILENT:
            if key == "format" and limit in formats and a.get("format") != limit and not _is_excluded(a, "string"):
                return False
            continue
        rule = _RULES.get(key)
        if rule is None or not rule(a, b, limit, glance, depth):
            return False
    return True


def _are_all_accepted(b: dict[str, Any], values: list[Any], formats: frozenset[str]) -> bool:
    enum = b.get("enum")
    # One look into a set for each value: two editions of an enum of 100,000 have as many on both sides.
    listed = {(type(v), v) for v in enum if type(v) in _SCALARS} if isinstance(enum, list) else frozenset()
    return all(_is_accepted(b, v, formats, listed) for v in values)


def _find_enum_values(schema: dict[str, Any]) -> list[Any] | None:
    """The scalar values of an enum, where that is what the schema is."""
    enum = schema.get("enum")
    if not isinstance(enum, list) or "$schema" in schema:
        return None
    return enum if all(type(v) in _SCALARS for v in enum) else None


def _is_accepted(b: dict[str, Any], value: Any, formats: frozenset[str], listed: Set[tuple[type, Any]]) -> bool:
    """Whether a scalar is surely accepted; `listed` is what the enum of `b` holds."""
    for key, limit in b.items():
        if key == "type":
            kinds = limit if isinstance(limit, list) else [limit]
            if _find_kind(value) not in kinds and not (_is_int(value) and "integer" in kinds):
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


def _find_kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _list_types(schema: dict[str, Any]) -> Collection[Any]:
    types = schema.get("type")
    if isinstance(types, str):
        return (types,)
    return types if isinstance(types, list) else _ALL


def _is_excluded(a: dict[str, Any], kind: str) -> bool:
    return kind not in _list_types(a)


def _check_type(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    mine = a.get("type")
    if mine == limit and mine is not None:
        return True
    wanted_types = [limit] if isinstance(limit, str) else limit
    return isinstance(wanted_types, list) and all(
        t in wanted_types or (t == "integer" and "number" in wanted_types) for t in _list_types(a)
    )


def _check_properties(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    if _is_excluded(a, "object"):
        return True
    mine = a.get("properties", {})
    if "patternProperties" in a or not isinstance(limit, dict) or not isinstance(mine, dict):
        return False
    rest = a.get("additionalProperties", True)
    for name, wanted_schema in limit.items():
        if not _is_within(mine.get(name, rest), wanted_schema, glance, depth + 1):
            return False
    return True


def _check_additional(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    if limit is True or limit == {} or _is_excluded(a, "object"):
        return True
    mine, declared = a.get("properties", {}), b.get("properties", {})
    if "patternProperties" in a or "patternProperties" in b:
        return False
    if not _is_within(a.get("additionalProperties", True), limit, glance, depth + 1):
        return False
    return all(name in declared or _is_within(field, limit, glance, depth + 1) for name, field in mine.items())


def _check_required(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    mine = a.get("required", ())
    return _is_excluded(a, "object") or (isinstance(mine, list | tuple) and all(name in mine for name in limit))


def _check_items(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    if _is_excluded(a, "array") or limit is True or limit == {}:
        return True
    if "prefixItems" in a or "prefixItems" in b:
        return False
    mine = a.get("items", True)
    return not isinstance(mine, list) and _is_within(mine, limit, glance, depth + 1)


def _build_lower_bound_rule(kind: str, *keys: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
        if isinstance(limit, bool) or isinstance(b.get("exclusiveMinimum"), bool):
            return False
        return _is_fully_excluded(a, kind) or any(is_number(a.get(k)) and a[k] >= limit for k in keys)

    return rule


def _build_upper_bound_rule(kind: str, *keys: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
        if isinstance(limit, bool) or isinstance(b.get("exclusiveMaximum"), bool):
            return False
        return _is_fully_excluded(a, kind) or any(is_number(a.get(k)) and a[k] <= limit for k in keys)

    return rule


def _is_fully_excluded(a: dict[str, Any], kind: str) -> bool:
    types = _list_types(a)
    return kind not in types and not (kind == "number" and "integer" in types)


def _build_equality_rule(key: str, kind: str) -> Any:
    def rule(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
        mine = a.get(key)
        return _is_fully_excluded(a, kind) or (type(mine) is type(limit) and bool(mine == limit))

    return rule


def _check_any_of(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    if not isinstance(limit, list):
        return False
    mine = a.get("anyOf")
    if isinstance(mine, list) and all(any(_is_within(m, w, glance, depth + 1) for w in limit) for m in mine):
        return True
    return any(_is_within(a, option, glance, depth + 1) for option in limit)


def _check_all_of(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    return isinstance(limit, list) and all(_is_within(a, part, glance, depth + 1) for part in limit)


def _check_unique(a: dict[str, Any], b: dict[str, Any], limit: Any, glance: FastPathState, depth: int) -> bool:
    return limit is False or a.get("uniqueItems") is True or _is_excluded(a, "array")


_RULES = {
    "type": _check_type,
    "properties": _check_properties,
    "additionalProperties": _check_additional,
    "required": lambda a, b, limit, f, d: isinstance(limit, list) and _check_required(a, b, limit, f, d),
    "items": _check_items,
    "minimum": _build_lower_bound_rule("number", "minimum", "exclusiveMinimum"),
    "maximum": _build_upper_bound_rule("number", "maximum", "exclusiveMaximum"),
    "exclusiveMinimum": _build_lower_bound_rule("number", "exclusiveMinimum"),
    "exclusiveMaximum": _build_upper_bound_rule("number", "exclusiveMaximum"),
    "minLength": _build_lower_bound_rule("string", "minLength"),
    "maxLength": _build_upper_bound_rule("string", "maxLength"),
    "minItems": _build_lower_bound_rule("array", "minItems"),
    "maxItems": _build_upper_bound_rule("array", "maxItems"),
    "minProperties": _build_lower_bound_rule("object", "minProperties"),
    "maxProperties": _build_upper_bound_rule("object", "maxProperties"),
    "multipleOf": _build_equality_rule("multipleOf", "number"),
    "pattern": _build_equality_rule("pattern", "string"),
    "uniqueItems": _check_unique,
    "anyOf": _check_any_of,
    "allOf": _check_all_of,
}
