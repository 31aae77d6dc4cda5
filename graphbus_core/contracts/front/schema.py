"""A document as JSON Schema: refused, with the pointer, where no meta-schema takes it; unknown words are notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.walk import (
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    SCHEMA_VALUES,
    SILENT,
    everything,
    pointer_text,
)
from graphbus_core.errors import ContractError

MAX_JUDGED = 3_000  # schemas that the meta-schema itself is asked about; beyond, the table below alone
_NUMBERS = ("minimum", "maximum", "multipleOf")
_COUNTS = (
    *("minLength", "maxLength", "minItems", "maxItems"),
    *("minProperties", "maxProperties", "minContains", "maxContains"),
)
_FORMS: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys((*SCHEMA_MAPS, "dependentRequired", "dependencies"), (dict, "an object")),
    **dict.fromkeys((*(SCHEMA_LISTS), "enum"), (list, "a list")),
    **dict.fromkeys((*_NUMBERS, *_COUNTS), (int | float, "a number")),
    **dict.fromkeys(("pattern", "format", "$ref", "$schema", "$comment", "description", "title"), (str, "a text")),
    "uniqueItems": (bool, "true or false"),
}
KEYWORDS = frozenset(
    {*SCHEMA_MAPS, *SCHEMA_LISTS, *SCHEMA_VALUES, *SILENT, *_FORMS, "type", "const", "required", "exclusiveMinimum"}
    | {"exclusiveMaximum", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", OPAQUE}
    | {"$vocabulary", "nullable", "xml", "externalDocs"}
)
_MEANING = KEYWORDS - {"title", "description", "examples", "example", "default", "id", "$id", "xml", "externalDocs"}


def refuse(schema: Any, name: str, draft: int) -> tuple[str, ...]:
    """Raise ContractError, with the pointer, for what is no JSON Schema. Returns notes on unknown keywords."""
    if not isinstance(schema, dict | bool):
        raise ContractError(f"{name} holds a {type(schema).__name__}; a JSON Schema is an object or true/false.")
    if isinstance(schema, dict) and schema and _MEANING.isdisjoint(schema):
        shown = ", ".join(repr(k) for k in list(schema)[:4])
        raise ContractError(f"{name} has no keyword of JSON Schema at its root, only {shown}. Give a schema file.")
    unknown: dict[str, str] = {}
    count = 0
    for place, one in everything(schema):
        count += 1
        why = _wrong(one)
        if why is not None:
            where = pointer_text((*place, why[0])) if why[0] else pointer_text(place) or "the root"
            raise ContractError(f"{name}: at {where} {why[1]}.")
        for key in one if isinstance(one, dict) else ():
            if key not in KEYWORDS and not key.startswith(("x-", "$")):
                unknown.setdefault(key, pointer_text((*place, key)))
    if isinstance(schema, dict) and count <= MAX_JUDGED:
        _judged(schema, name, draft)
    return tuple(
        f"{name}: {key!r} is no keyword of JSON Schema, and says nothing ({at})" for key, at in unknown.items()
    )


def _wrong(schema: Any) -> tuple[str, str] | None:
    """What is wrong with one schema by itself: the keyword, and why."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return "", f"a schema is wanted, not {str(schema)[:40]!r}"
    kinds = schema.get("type")
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if "type" in schema and (not isinstance(kind, str) or kind not in dialects.TYPE_NAMES):
            return "type", f"{str(kind)[:40]!r} is no JSON type"
    for key, (form, words) in _FORMS.items():
        if key in schema:
            value = schema[key]
            if not isinstance(value, form) or (isinstance(value, bool) and form is not bool):
                return key, f"{words} is wanted, not {str(value)[:40]!r}"
    needed = schema.get("required")
    names = isinstance(needed, list) and all(isinstance(n, str) for n in needed)
    if needed is not None and not names and not isinstance(needed, bool):  # a boolean is draft 3's, and many people's
        return "required", "a list of names is wanted"
    return None


def _judged(schema: Any, name: str, draft: int) -> None:
    from jsonschema import validators

    from graphbus_core.contracts.reading.dialects import URIS

    made = validators.validator_for({"$schema": URIS[draft] + ("#" if draft <= dialects.DRAFT7 else "")})
    try:
        found = made(made.META_SCHEMA).iter_errors(schema)
        # A number there is of a later draft than 4; it is meant as the bound that it says.
        error = next((e for e in found if "exclusiveM" not in f"{list(e.absolute_path)[-1:]}{e.message}"), None)
    except Exception:  # the judge may stumble; the table above has spoken
        return
    if error is not None:
        place = pointer_text(tuple(error.absolute_path)) or "the root"
        raise ContractError(f"{name}: at {place} {' '.join(error.message.split())[:160]}.")
