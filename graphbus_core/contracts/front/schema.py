"""A document as JSON Schema: refused, with the pointer, where no meta-schema takes it; unknown words are notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.walk import (
    NOWHERE,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    SCHEMA_VALUES,
    SILENT,
    everything,
    follow,
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


def refuse(schema: Any, name: str, draft: int, *, at: str = "", inner: bool = False) -> tuple[str, ...]:
    """Raise ContractError, with the pointer, for what is no JSON Schema. Returns notes on unknown keywords.

    `at` is where the schema stands in its document; `inner` says that the document names it a schema, so that no
    keyword has to show it.
    """
    if not isinstance(schema, dict | bool):
        where = f": at {at} it" if at else ""
        raise ContractError(f"{name}{where} holds {_article(schema)}; a JSON Schema is an object or true/false.")
    if isinstance(schema, dict) and schema and _MEANING.isdisjoint(schema) and not inner:
        shown = ", ".join(repr(k) for k in list(schema)[:4])
        raise ContractError(f"{name} has no keyword of JSON Schema at its root, only {shown}. Give a schema file.")
    unknown: dict[str, str] = {}
    count = 0
    for place, one in everything(schema):
        count += 1
        why = _wrong(one)
        if why is not None:
            where = at + (pointer_text((*place, why[0])) if why[0] else pointer_text(place))
            raise ContractError(f"{name}: at {where or 'the root'} {why[1]}.")
        for key in one if isinstance(one, dict) else ():
            if key not in KEYWORDS and not key.startswith(("x-", "$")):
                unknown.setdefault(key, at + pointer_text((*place, key)))
    if not inner:  # a part's references lead into its document
        dangling(schema, schema, name)
    if isinstance(schema, dict) and count <= MAX_JUDGED:
        _judged(schema, name, draft, at)
    return tuple(
        f"{name}: {key!r} is no keyword of JSON Schema, and says nothing ({place})" for key, place in unknown.items()
    )


def dangling(schema: Any, document: Any, name: str, at: str = "") -> None:
    """Raise ContractError, with the pointer, for a reference into the document that leads nowhere.

    A `$id` within moves what `#` means; such schemas are left to the verdict, which gives up on what it cannot find.
    """
    found = list(everything(schema))
    if any(place and isinstance(one, dict) and ("$id" in one or "id" in one) for place, one in found):
        return
    for place, one in found:
        ref = one.get("$ref") if isinstance(one, dict) else None
        if isinstance(ref, str) and ref.startswith("#/") and follow(document, ref) is NOWHERE:
            raise ContractError(f"{name}: at {at}{pointer_text((*place, '$ref'))} {ref} leads nowhere.")


def _article(value: Any) -> str:
    kinds = {str: "a text", list: "a list", int: "a number", float: "a number", type(None): "null"}
    return kinds.get(type(value), f"a {type(value).__name__}")


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


def _judged(schema: Any, name: str, draft: int, at: str) -> None:
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
        place = at + pointer_text(tuple(error.absolute_path)) or "the root"
        raise ContractError(f"{name}: at {place} {' '.join(error.message.split())[:160]}.")
