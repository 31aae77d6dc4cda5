"""Why a producer does not fit: the counterexample's violations, in words, each with its field path."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphbus_core.contracts.reading import tagged
from graphbus_core.contracts.reading.fields import paths
from graphbus_core.contracts.reading.wording import FORMATS, annotation, short
from graphbus_core.contracts.values.verdict import Reason
from graphbus_core.shown import shortened

MAX_REASONS = 20
_KINDS = {
    "required": "missing_field",
    "dependentRequired": "missing_field",
    "type": "type",
    "enum": "value",
    "const": "value",
    "minimum": "bound",
    "maximum": "bound",
    "exclusiveMinimum": "bound",
    "exclusiveMaximum": "bound",
    "multipleOf": "bound",
    "minLength": "length",
    "maxLength": "length",
    "pattern": "pattern",
    "format": "format",
    "additionalProperties": "extra_field",
    "unevaluatedProperties": "extra_field",
    "propertyNames": "extra_field",
    "items": "items",
    "uniqueItems": "items",
    "contains": "items",
    "minContains": "items",
    "maxContains": "items",
    "unevaluatedItems": "items",
    "minItems": "count",
    "maxItems": "count",
    "minProperties": "count",
    "maxProperties": "count",
}


def reasons(producer: Any, errors: Iterable[Any], value: Any) -> tuple[Reason, ...]:
    """What the judge's errors about a counterexample say, one reason for each field that does not fit."""
    found: dict[tuple[str, str], Reason] = {}
    try:
        for error in errors:
            for reason in _reasons(producer, error):
                found.setdefault((reason.kind, reason.path), reason)
            if len(found) >= MAX_REASONS:
                break
    except Exception:  # the judge may stumble over what it cannot read; the verdict stands without its words
        return (Reason("combination", "", f"the consumer rejects {short(value)}"),)
    return tuple(found.values()) or (Reason("combination", "", f"the consumer rejects {short(value)}"),)


def _reasons(producer: Any, error: Any) -> list[Reason]:
    path, keyword = field_path(error.absolute_path), str(error.validator)
    kind = _KINDS.get(keyword, "combination")
    if keyword == "required" and isinstance(error.instance, dict):
        missing = [n for n in error.validator_value if n not in error.instance]
        return [_missing(producer, path, str(n)) for n in missing if error.message.startswith(repr(n))]
    got = _got(error.instance)
    wanted_type = _marked(error)
    if wanted_type is not None:
        return [Reason("type", path, f"{_at(path)} may be {got}; the consumer takes {wanted_type}")]
    if keyword == "type":
        return [Reason(kind, path, f"{_at(path)} may be {got}; the consumer takes {annotation(error.schema)}")]
    if kind == "value":
        return [Reason(kind, path, f"{_at(path)} may be {got}, which is none of the values the consumer takes")]
    if kind in ("bound", "length", "pattern", "count", "format"):
        wanted = f"{keyword} {short(error.validator_value)}"
        return [Reason(kind, path, f"{_at(path)} may be {got}; the consumer wants {wanted}")]
    message = shortened(error.message, 200)
    return [Reason(kind, path, f"{_at(path)}: {message}")]


def _got(value: Any) -> str:
    """What the producer may send, as people name it."""
    kind = tagged.kind_of(value)
    return short(value) if kind is None else f"a {FORMATS.get(kind, kind)}"


def _marked(error: Any) -> str | None:
    """The type that the consumer takes, where the error is about a type that is text in JSON only."""
    if error.validator != "pattern" or tagged.MARK not in str(error.validator_value):
        return None
    pattern = str(error.validator_value)
    if pattern.startswith("^(?!"):
        return "str"
    name = pattern[2:].partition(":")[0].replace("\\", "")
    return FORMATS.get(name, name)


def _missing(producer: Any, path: str, name: str) -> Reason:
    full = f"{path}.{name}" if path else name
    declared = isinstance(producer, dict) and full in paths(producer)
    if declared:
        return Reason("optional_field", full, f"{full} is required by the consumer; the producer may leave it out")
    return Reason("missing_field", full, f"{full} is required by the consumer; the producer does not send it")


def _at(path: str) -> str:
    return path or "the payload"


def field_path(parts: Any) -> str:
    """`headlines[].title` from the parts of a path into a value."""
    text = ""
    for part in parts:
        text += "[]" if isinstance(part, int) else (f".{part}" if text else str(part))
    return text
