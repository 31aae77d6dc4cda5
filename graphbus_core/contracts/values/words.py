"""What a violation says to a person: one sentence without the path."""

from __future__ import annotations

from typing import Any

from graphbus_core.contracts.reading.wording import annotation, short
from graphbus_core.contracts.values.rules import Found

_LIMITS = {
    "minimum": "must be at least",
    "maximum": "must be at most",
    "exclusiveMinimum": "must be above",
    "exclusiveMaximum": "must be below",
    "multipleOf": "must be a multiple of",
}
_COUNTS = {
    "minLength": ("at least", "characters"),
    "maxLength": ("at most", "characters"),
    "minItems": ("at least", "items"),
    "maxItems": ("at most", "items"),
    "minProperties": ("at least", "fields"),
    "maxProperties": ("at most", "fields"),
}


def sentence(found: Found) -> str:
    """What is wrong with the value, and what it is."""
    text = _said(found)
    return f"{text} ({found.note})" if found.note else text


def _said(found: Found) -> str:
    keyword, wanted = found.keyword, found.wanted
    if keyword == "required":
        return "is missing"
    got = shown(found.value)
    if keyword == "type":
        return f"must be {' or '.join(wanted) if isinstance(wanted, list) else wanted}, got {got}"
    if keyword in _LIMITS:
        return f"{_LIMITS[keyword]} {short(wanted)}, got {got}"
    if keyword in _COUNTS:
        how, what = _COUNTS[keyword]
        return f"must have {how} {wanted} {what}, has {len(found.value)}"
    if keyword == "additionalProperties":
        return f"has fields that are not declared: {shown(wanted)} in {got}"
    if keyword in ("anyOf", "oneOf"):
        return _of_union(keyword, wanted, got)
    return f"{_REST.get(keyword, 'does not fit').format(shown_list(wanted))}, got {got}"


_REST = {
    "const": "must be {}",
    "enum": "must be one of {}",
    "pattern": "must match the pattern {}",
    "format": "must have the format {}",
    "uniqueItems": "must not hold an item twice",
    "contains": "holds too few items of the kind that is wanted",
    "maxContains": "holds too many items of the kind that is counted",
    "propertyNames": "holds a name that is not allowed",
    "not": "is one of the values that are excluded",
    "false schema": "must not be there",
    "x-python-type": "must be an object of the class {}",
}


def _of_union(keyword: str, wanted: Any, got: str) -> str:
    if keyword == "oneOf" and all(isinstance(w, int) for w in wanted) and wanted:
        return f"fits {len(wanted)} alternatives where one alone may fit, got {got}"
    options = " | ".join(dict.fromkeys(annotation(w) for w in wanted))
    return f"fits none of {options if len(options) <= 120 else f'{len(wanted)} alternatives'}, got {got}"


def shown_list(wanted: Any) -> str:
    """The values of an enum, or one value."""
    if not isinstance(wanted, list):
        return shown(wanted)
    head = ", ".join(shown(w) for w in wanted[:8])
    return head if len(wanted) <= 8 else f"{head} … ({len(wanted)} values)"


def shown(value: Any) -> str:
    """A value, short. Plain ones are written at once: most violations show one."""
    kind = type(value)
    if kind is int:
        return str(value) if -(10**15) < value < 10**15 else short(value)
    if (
        kind is str
        and len(value) <= 50
        and value.isascii()
        and value.isprintable()
        and '"' not in value
        and "\\" not in value
    ):
        return f'"{value}"'
    return short(value)
