"""Whether the search for a first violation knows everything that a schema says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading.forms import OPAQUE
from graphbus_core.contracts.reading.walk import FORMS, SCHEMA_MAPS, everything, follow, in_place
from graphbus_core.contracts.values.rules import BOUNDS, TYPES

_UNREAD = frozenset(
    {"unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef", "$dynamicAnchor", "dependencies"}
)


def readable(schema: Any) -> bool:
    """Whether every keyword of a schema is known here, and every reference leads down within it."""
    for _, one in everything(schema):
        if isinstance(one, bool):
            continue
        if not isinstance(one, dict) or not _UNREAD.isdisjoint(one) or not _well_formed(one):
            return False
        ref = one.get("$ref")
        if ref is not None and not (ref == "#" or ref.startswith("#/")):
            return False
        if ref is not None and not isinstance(follow(schema, ref), dict | bool):
            return False
        if "$id" in one and one is not schema:
            return False  # references within it are resolved against another base
    return not _loops(schema)


def _well_formed(schema: dict[str, Any]) -> bool:
    """Whether keywords have the form that is relied on here; the judge says what is wrong with others."""
    kinds = schema.get("type", "null")
    names = kinds if isinstance(kinds, list) else [kinds]
    if not all(isinstance(n, str) and (n in TYPES or n in ("integer", "number")) for n in names):
        return False
    for key, value in schema.items():
        wanted = _FORMS.get(key)
        if wanted is not None and (not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)):
            return False
    named = (one for key in SCHEMA_MAPS.intersection(schema) for one in schema[key].values())
    return bool(schema.get("multipleOf", 1) > 0) and all(isinstance(one, dict | bool) for one in named)


_FORMS: Mapping[str, Any] = {**FORMS, **dict.fromkeys(BOUNDS, int | float), "required": list, OPAQUE: str}


def _loops(document: Any) -> bool:
    """Whether a schema comes back to itself for the same value: nothing could be said of any value there."""
    done: set[int] = set()

    def visit(one: Any, above: frozenset[int]) -> bool:
        if not isinstance(one, dict) or id(one) in done:
            return False
        if id(one) in above:
            return True
        inside = [follow(document, one["$ref"])] if "$ref" in one else []
        inside += [sub for _, sub in in_place(one)]
        found = any(visit(s, above | {id(one)}) for s in inside)
        done.add(id(one))
        return found

    return any(visit(one, frozenset()) for _, one in everything(document))
