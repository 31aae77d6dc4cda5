"""A document as JSON Schema: refused, with the pointer, where no meta-schema takes it; unknown words are notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.contracts.inclusion.regex import Malformed, compile_pattern, parse_pattern
from graphbus_core.contracts.parsing import json_schema
from graphbus_core.contracts.parsing.json_schema import (
    COUNTS,
    FORMS,
    NOWHERE,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    SCHEMA_WORDS,
    SILENT,
    Place,
    follow_pointer,
    render_pointer,
    walk_schemas,
)
from graphbus_core.contracts.parsing.type_forms import OPAQUE, render_short
from graphbus_core.contracts.verdict import Inconclusive
from graphbus_core.errors import ContractError

MAX_JUDGED = 300  # schemas that the meta-schema itself is asked about, at .3 ms each; beyond, the table below alone
_CALLED: Mapping[Any, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
KEYWORDS = frozenset(
    {*SCHEMA_WORDS, *SILENT, *FORMS, *REFERENCES, OPAQUE, "type", "const", "required", "exclusiveMinimum"}
    | {"exclusiveMaximum", "$recursiveAnchor", "nullable", "xml", "externalDocs"}
)
_MEANING = KEYWORDS - {"title", "description", "examples", "example", "default", "id", "$id", "xml", "externalDocs"}


def check_schema(schema: Any, name: str, draft: int, *, pointer: str = "", inner: bool = False) -> tuple[str, ...]:
    """Raise ContractError, with the pointer, for what is not a JSON Schema. Returns notes on unknown keywords.

    `at` is where the schema stands in its document; `inner` says that the document names it a schema, so that no
    keyword has to show it.
    """
    if not isinstance(schema, dict | bool):
        where = f": at {pointer} it" if pointer else ""
        raise ContractError(f"{name}{where} holds {_name_kind(schema)}; a JSON Schema is an object or true/false.")
    if isinstance(schema, dict) and schema and _MEANING.isdisjoint(schema) and not inner:
        keys_text = ", ".join(repr(k) for k in list(schema)[:4])
        raise ContractError(f"{name} has no keyword of JSON Schema at its root, only {keys_text}. Give a schema file.")
    subschemas = list(walk_schemas(schema))
    for place, subschema in subschemas:
        why = _find_fault(subschema)
        if why is not None:
            where = pointer + (render_pointer((*place, why[0])) if why[0] else render_pointer(place))
            raise ContractError(f"{name}: at {where or 'the root'} {why[1]}.")
    if not inner:  # a part's references lead into its document, which is asked about them elsewhere
        check_references(schema, schema, name)
        if isinstance(schema, dict) and len(subschemas) <= MAX_JUDGED:
            _check_by_meta_schema(schema, name, draft)
    return tuple(_note_unknown_keywords(subschemas, name, pointer))


def _note_unknown_keywords(subschemas: list[tuple[Place, Any]], name: str, pointer: str) -> Iterator[str]:
    noted_keys: set[str] = set()
    for place, subschema in subschemas:
        for key in subschema if isinstance(subschema, dict) else ():
            if key not in KEYWORDS and key not in noted_keys and not key.startswith(("x-", "$")):
                noted_keys.add(key)
                where = pointer + render_pointer((*place, key))
                yield f"{name}: {key!r} is not a keyword of JSON Schema, and says nothing ({where})"


def check_references(schema: Any, document: Any, name: str, pointer: str = "") -> None:
    """Raise ContractError, with the pointer, for a reference into the document that leads nowhere.

    A `$id` within moves what `#` means; such schemas are left to the verdict, which gives up on what it cannot find.
    """
    subschemas = list(walk_schemas(schema))
    if any(
        place and isinstance(subschema, dict) and ("$id" in subschema or "id" in subschema)
        for place, subschema in subschemas
    ):
        return
    for place, subschema in subschemas:
        ref = subschema.get("$ref") if isinstance(subschema, dict) else None
        if isinstance(ref, str) and ref.startswith("#/") and follow_pointer(document, ref) is NOWHERE:
            raise ContractError(f"{name}: at {pointer}{render_pointer((*place, '$ref'))} {ref} leads nowhere.")


def _name_kind(value: Any) -> str:
    kinds = {str: "a text", list: "a list", int: "a number", float: "a number", type(None): "null"}
    return kinds.get(type(value), f"a {type(value).__name__}")


def _find_fault(schema: Any) -> tuple[str, str] | None:
    """What is wrong with one schema by itself: the keyword, and why."""
    if isinstance(schema, bool):
        return None
    if not isinstance(schema, dict):
        return "", f"a schema is wanted, not {render_short(schema)}"
    for key, value in schema.items():
        form = FORMS.get(key, object)
        if not isinstance(value, form) or (isinstance(value, bool) and form not in (bool, object)):
            return key, f"{_CALLED.get(form, 'a number')} is wanted, not {render_short(value)}"
        rule = _RULES.get(key)
        if rule is not None and (why := rule(value)) is not None:
            return key, why
    return None


def _check_type(value: Any) -> str | None:
    kinds = value if isinstance(value, list) else [value]
    for kind in kinds:
        if not isinstance(kind, str) or kind not in json_schema.TYPE_NAMES:
            return f"{render_short(kind)} is not a JSON type"
    return None if kinds and len(set(kinds)) == len(kinds) else "different JSON types are wanted"


def _check_required(value: Any) -> str | None:
    # A boolean is draft 3's, and many people's still; it says nothing.
    return None if isinstance(value, bool) or _is_names(value) else "a list of names is wanted"


def _check_bound(value: Any) -> str | None:
    # true and false are draft 4's; a number there is meant as the bound that it says.
    return None if isinstance(value, int | float) else f"a number is wanted, not {render_short(value)}"


def _check_count(value: Any) -> str | None:
    return None if value >= 0 and value == int(value) else f"a whole number from 0 on is wanted, not {value!r}"


def _check_positive(value: Any) -> str | None:
    return None if value > 0 else f"a number above 0 is wanted, not {value!r}"


def _check_not_empty(value: Any) -> str | None:
    return None if value else "at least one schema is wanted"


def _check_schema_map(value: Any) -> str | None:
    wrong = [name for name, schema in value.items() if not isinstance(schema, dict | bool)]
    return f"a schema is wanted for {render_short(wrong[0])}, not {render_short(value[wrong[0]])}" if wrong else None


def _check_pattern(value: str) -> str | None:
    """Why a pattern can be read by nobody: ECMA-262, which our parser follows, and Python's `re` both refuse it."""
    try:
        parse_pattern(value)
    except Malformed as said:
        try:
            compile_pattern(value)
        except re.error:
            return f"{said}; it is not a regular expression"
    except (Inconclusive, RecursionError):  # another dialect's, or too long for us: not a mistake
        pass
    return None


def _check_pattern_map(value: dict[str, Any]) -> str | None:
    return next(filter(None, map(_check_pattern, value)), None) or _check_schema_map(value)


def _check_name_lists(value: Any) -> str | None:
    wrong = [name for name, names in value.items() if not _is_names(names)]
    return f"a list of names is wanted for {render_short(wrong[0])}" if wrong else None


_RULES: Mapping[str, Callable[[Any], str | None]] = {
    "type": _check_type,
    "required": _check_required,
    "multipleOf": _check_positive,
    "dependentRequired": _check_name_lists,
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _check_bound),
    **dict.fromkeys(COUNTS, _check_count),
    **dict.fromkeys(SCHEMA_LISTS, _check_not_empty),
    **dict.fromkeys(SCHEMA_MAPS, _check_schema_map),
    "pattern": _check_pattern,
    "patternProperties": _check_pattern_map,
}


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _check_by_meta_schema(schema: Any, name: str, draft: int) -> None:
    from jsonschema import validators

    from graphbus_core.contracts.parsing.json_schema import URIS

    validator_class = validators.validator_for({"$schema": URIS[draft] + ("#" if draft <= json_schema.DRAFT7 else "")})
    try:
        meta_errors = validator_class(validator_class.META_SCHEMA).iter_errors(schema)
        # A number there is of a later draft than 4; it is meant as the bound that it says.
        error = next((e for e in meta_errors if "exclusiveM" not in f"{list(e.absolute_path)[-1:]}{e.message}"), None)
    except Exception:  # the judge may stumble; the table above has spoken
        return
    if error is not None:
        place = render_pointer(tuple(error.absolute_path)) or "the root"
        raise ContractError(f"{name}: at {place} {' '.join(error.message.split())[:160]}.")
