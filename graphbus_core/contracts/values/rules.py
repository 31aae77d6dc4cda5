"""The keywords that a value settles by itself: each gives the violation, or None.

What needs the parts of a value judged by other schemas is in `first`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from operator import ge, gt, le, lt
from typing import Any

from graphbus_core.contracts.inclusion.formulas.logic import key_of
from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.jsonable import JSON_TYPES, jsonable, level

BOUNDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "minimum": ge,
    "maximum": le,
    "exclusiveMinimum": gt,
    "exclusiveMaximum": lt,
}
TYPES: Mapping[str, type] = {"string": str, "boolean": bool, "null": type(None), "array": list, "object": dict}


class Found:
    """One violation: `parts` from the inside out, the keyword, what it wants, and the value that breaks it."""

    __slots__ = ("keyword", "note", "parts", "value", "wanted")

    def __init__(self, keyword: str, wanted: Any, value: Any) -> None:
        self.keyword, self.wanted, self.value = keyword, wanted, value
        self.parts: list[str | int] = []
        self.note = ""

    def under(self, part: str | int) -> Found:
        """The same violation, seen from one level further out."""
        self.parts.append(part)
        return self


def mistyped(schema: dict[str, Any], value: Any) -> Found | None:
    return Found("type", schema["type"], value)


def fraction(schema: dict[str, Any], value: float) -> Found | None:
    """1.0 is an integer, 1.5 is none."""
    return None if value.is_integer() else Found("type", schema["type"], value)


def constant(schema: dict[str, Any], value: Any) -> Found | None:
    return None if is_one_of([schema["const"]], value) else Found("const", [schema["const"]], value)


def among(schema: dict[str, Any], value: Any) -> Found | None:
    return None if is_one_of(schema["enum"], value) else Found("enum", schema["enum"], value)


def is_one_of(given: list[Any], value: Any) -> bool:
    made = jsonable(value)
    if type(made) is str:
        return made in given
    try:
        mine = key_of(made)
        return any(key_of(g) == mine for g in given)
    except (TypeError, ValueError, OverflowError, IndexError, KeyError):
        return False  # no JSON value: equal to none


def opaque(schema: dict[str, Any], value: Any) -> Found | None:
    return Found(OPAQUE, schema[OPAQUE], value) if type(value) in JSON_TYPES else None


def required(schema: dict[str, Any], value: dict[Any, Any]) -> Found | None:
    for name in schema["required"]:
        if name not in value and name not in texted(value):
            return Found("required", name, value)
    return None


def texted(value: dict[Any, Any]) -> dict[str, Any]:
    """An object with the keys that it has in JSON."""
    for key in value:
        if type(key) is not str:
            made: dict[str, Any] = level(value)
            return made
    return value


def exact(schema: Any) -> frozenset[type]:
    """The Python types whose values all fit, where a schema says no more than a type."""
    if not isinstance(schema, dict) or not schema.keys() <= {"type", "description", "title", "default"}:
        return frozenset()
    kind = schema.get("type")
    if kind == "number":
        return frozenset({int, float})
    return frozenset({int} if kind == "integer" else {TYPES[kind]} if isinstance(kind, str) else ())


def count(schema: dict[str, Any], value: Any) -> Found | None:
    least, most = ("minItems", "maxItems") if isinstance(value, list) else ("minProperties", "maxProperties")
    if least in schema and len(value) < schema[least]:
        return Found(least, schema[least], value)
    return Found(most, schema[most], value) if most in schema and len(value) > schema[most] else None


def unique(schema: dict[str, Any], value: list[Any]) -> Found | None:
    return Found("uniqueItems", True, value) if schema["uniqueItems"] and not distinct(value) else None


def number(schema: dict[str, Any], value: Any) -> Found | None:
    for key, holds in BOUNDS.items():
        if key in schema and not holds(value, schema[key]):
            return Found(key, schema[key], value)
    step = schema.get("multipleOf")
    if step is not None and not is_multiple(value, step):
        return Found("multipleOf", step, value)
    return None


def is_multiple(value: Any, step: Any) -> bool:
    """Whether a number is a multiple, over exact decimals: 0.3 is one of 0.1. Nothing infinite is."""
    try:
        return (Fraction(repr(value)) / Fraction(repr(step))).denominator == 1
    except (ValueError, OverflowError):
        return False


def distinct(values: list[Any]) -> bool:
    """Whether no two items are equal as JSON: 1 and 1.0 are, 1 and true are not."""
    try:
        return len({key_of(jsonable(v)) for v in values}) == len(values)
    except (TypeError, ValueError, OverflowError, IndexError, KeyError):
        return True  # something in it has no JSON form, which is not for this keyword to say
