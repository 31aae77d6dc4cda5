"""Keywords by themselves: what is read of one value of one keyword, before it becomes part of a shape."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any

from graphbus_core.contracts.inclusion.formulas.logic import Formula, conj, disj, neg, number
from graphbus_core.contracts.reading.dialects import DRAFT4, DRAFT2020
from graphbus_core.contracts.values.budget import GivesUp

Language = tuple[tuple[tuple[str, bool], ...], frozenset[str]]
"""Property names: those that match (True) or do not match (False) each pattern, and are none of the names."""


def is_json(value: Any) -> bool:
    """Whether a constant is a JSON value: Python reads NaN and infinities, JSON has none."""
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, dict):
        return all(map(is_json, value.values()))
    return not isinstance(value, float) or isfinite(value)


def tuple_items(text: dict[str, Any], draft: int) -> tuple[list[Any], Any]:
    """The schemas of the first items, and the schema of the rest. A list of `items` is read so in every dialect."""
    prefix, rest = text.get("prefixItems", []) if draft >= DRAFT2020 else [], text.get("items", True)
    if isinstance(rest, list):
        return rest, text.get("additionalItems", True)
    if not isinstance(prefix, list):
        raise GivesUp("unsupported", "prefixItems wants a list of schemas")
    return prefix, rest


def others(names: frozenset[str], patterns: Any) -> Language:
    return tuple((p, False) for p in sorted(patterns)), names


def one_of(options: list[Formula]) -> Formula:
    """Exactly one."""
    cases = []
    for i, option in enumerate(options):
        cases.append(conj([option, *(neg(o) for j, o in enumerate(options) if j != i)]))
    return disj(cases)


def number_atoms(text: dict[str, Any], draft: int) -> Iterator[Formula]:
    for key, atom, strict in (("minimum", "ge", "gt"), ("maximum", "le", "lt")):
        exclusive = text.get("exclusive" + key.capitalize())
        if key in text:
            yield (strict if exclusive is True else atom, exact(text[key], key))
        if exclusive is not None and not isinstance(exclusive, bool) and draft > DRAFT4:
            yield (strict, exact(exclusive, "exclusive" + key.capitalize()))
    if "multipleOf" in text:
        step = exact(text["multipleOf"], "multipleOf")
        if step <= 0:
            raise GivesUp("unsupported", "multipleOf wants a number above 0")
        yield ("mul", step)


def exact(value: Any, key: str) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) == float("inf"):
        raise GivesUp("unsupported", f"{key} wants a number")
    return number(value)


def whole(value: Any, key: str, *, down: bool = False) -> int:
    count = exact(value, key)
    return int(count // 1) if down else int(-(-count // 1))


def least(atom: str, value: Any) -> Formula:
    low = whole(value, atom)
    return (atom, low) if low > 0 else True


def at_most(atom: str, value: Any) -> Formula:
    high = whole(value, atom, down=True)
    return (atom, high) if high >= 0 else False


def schemas_in(text: dict[str, Any], key: str) -> list[Any]:
    found = text[key]
    if not isinstance(found, list):
        raise GivesUp("unsupported", f"{key} wants a list of schemas")
    return found


def map_in(text: dict[str, Any], key: str) -> dict[str, Any]:
    found = text.get(key, {})
    if not isinstance(found, dict):
        raise GivesUp("unsupported", f"{key} wants an object")
    return found
