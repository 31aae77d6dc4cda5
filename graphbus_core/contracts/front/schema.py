"""A document as JSON Schema: refused, with the pointer, where no meta-schema takes it; unknown words are notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.contracts.inclusion.patterns.regex import Malformed, parse
from graphbus_core.contracts.inclusion.patterns.spelled import compiled
from graphbus_core.contracts.reading import dialects
from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.walk import (
    COUNTS,
    FORMS,
    NOWHERE,
    REFERENCES,
    SCHEMA_LISTS,
    SCHEMA_MAPS,
    SCHEMA_WORDS,
    SILENT,
    Place,
    everything,
    follow,
    pointer_text,
)
from graphbus_core.contracts.reading.wording import short
from graphbus_core.contracts.values.budget import GivesUp
from graphbus_core.errors import ContractError

MAX_JUDGED = 300  # schemas that the meta-schema itself is asked about, at .3 ms each; beyond, the table below alone
_CALLED: Mapping[Any, str] = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
KEYWORDS = frozenset(
    {*SCHEMA_WORDS, *SILENT, *FORMS, *REFERENCES, OPAQUE, "type", "const", "required", "exclusiveMinimum"}
    | {"exclusiveMaximum", "$recursiveAnchor", "nullable", "xml", "externalDocs"}
)
_MEANING = KEYWORDS - {"title", "description", "examples", "example", "default", "id", "$id", "xml", "externalDocs"}


def refuse(schema: Any, name: str, draft: int, *, at: str = "", inner: bool = False) -> tuple[str, ...]:
    """Raise ContractError, with the pointer, for what is not a JSON Schema. Returns notes on unknown keywords.

    `at` is where the schema stands in its document; `inner` says that the document names it a schema, so that no
    keyword has to show it.
    """
    if not isinstance(schema, dict | bool):
        where = f": at {at} it" if at else ""
        raise ContractError(f"{name}{where} holds {_article(schema)}; a JSON Schema is an object or true/false.")
    if isinstance(schema, dict) and schema and _MEANING.isdisjoint(schema) and not inner:
        shown = ", ".join(repr(k) for k in list(schema)[:4])
        raise ContractError(f"{name} has no keyword of JSON Schema at its root, only {shown}. Give a schema file.")
    found = list(everything(schema))
    for place, one in found:
        why = _wrong(one)
        if why is not None:
            where = at + (pointer_text((*place, why[0])) if why[0] else pointer_text(place))
            raise ContractError(f"{name}: at {where or 'the root'} {why[1]}.")
    if not inner:  # a part's references lead into its document, which is asked about them elsewhere
        dangling(schema, schema, name)
        if isinstance(schema, dict) and len(found) <= MAX_JUDGED:
            _judged(schema, name, draft)
    return tuple(_notes(found, name, at))


def _notes(found: list[tuple[Place, Any]], name: str, at: str) -> Iterator[str]:
    told: set[str] = set()
    for place, one in found:
        for key in one if isinstance(one, dict) else ():
            if key not in KEYWORDS and key not in told and not key.startswith(("x-", "$")):
                told.add(key)
                where = at + pointer_text((*place, key))
                yield f"{name}: {key!r} is not a keyword of JSON Schema, and says nothing ({where})"


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
        return "", f"a schema is wanted, not {short(schema)}"
    for key, value in schema.items():
        form = FORMS.get(key, object)
        if not isinstance(value, form) or (isinstance(value, bool) and form not in (bool, object)):
            return key, f"{_CALLED.get(form, 'a number')} is wanted, not {short(value)}"
        rule = _RULES.get(key)
        if rule is not None and (why := rule(value)) is not None:
            return key, why
    return None


def _type(value: Any) -> str | None:
    kinds = value if isinstance(value, list) else [value]
    for kind in kinds:
        if not isinstance(kind, str) or kind not in dialects.TYPE_NAMES:
            return f"{short(kind)} is not a JSON type"
    return None if kinds and len(set(kinds)) == len(kinds) else "different JSON types are wanted"


def _required(value: Any) -> str | None:
    # A boolean is draft 3's, and many people's still; it says nothing.
    return None if isinstance(value, bool) or _is_names(value) else "a list of names is wanted"


def _bound(value: Any) -> str | None:
    # true and false are draft 4's; a number there is meant as the bound that it says.
    return None if isinstance(value, int | float) else f"a number is wanted, not {short(value)}"


def _count(value: Any) -> str | None:
    return None if value >= 0 and value == int(value) else f"a whole number from 0 on is wanted, not {value!r}"


def _above(value: Any) -> str | None:
    return None if value > 0 else f"a number above 0 is wanted, not {value!r}"


def _some(value: Any) -> str | None:
    return None if value else "at least one schema is wanted"


def _schemas(value: Any) -> str | None:
    wrong = [name for name, one in value.items() if not isinstance(one, dict | bool)]
    return f"a schema is wanted for {short(wrong[0])}, not {short(value[wrong[0]])}" if wrong else None


def _pattern(value: str) -> str | None:
    """Why a pattern can be read by nobody: ECMA-262, which our parser follows, and Python's `re` both refuse it."""
    try:
        parse(value)
    except Malformed as said:
        try:
            compiled(value)
        except re.error:
            return f"{said}; it is not a regular expression"
    except (GivesUp, RecursionError):  # another dialect's, or too long for us: not a mistake
        pass
    return None


def _patterns(value: dict[str, Any]) -> str | None:
    return next(filter(None, map(_pattern, value)), None) or _schemas(value)


def _lists(value: Any) -> str | None:
    wrong = [name for name, names in value.items() if not _is_names(names)]
    return f"a list of names is wanted for {short(wrong[0])}" if wrong else None


_RULES: Mapping[str, Callable[[Any], str | None]] = {
    "type": _type,
    "required": _required,
    "multipleOf": _above,
    "dependentRequired": _lists,
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _bound),
    **dict.fromkeys(COUNTS, _count),
    **dict.fromkeys(SCHEMA_LISTS, _some),
    **dict.fromkeys(SCHEMA_MAPS, _schemas),
    "pattern": _pattern,
    "patternProperties": _patterns,
}


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


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
