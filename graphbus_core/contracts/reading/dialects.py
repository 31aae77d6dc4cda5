"""The dialects of JSON Schema that are read, and how an older schema is written in 2020-12.

Draft 4, 6, 7, 2019-09 and 2020-12. `$schema` decides, else the caller, else 2020-12.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphbus_core.errors import ContractError

DRAFT4, DRAFT6, DRAFT7, DRAFT2019, DRAFT2020 = 4, 6, 7, 2019, 2020
NEWEST = DRAFT2020

_NAMES = {
    "draft4": DRAFT4,
    "draft-04": DRAFT4,
    "4": DRAFT4,
    "draft6": DRAFT6,
    "draft-06": DRAFT6,
    "6": DRAFT6,
    "draft7": DRAFT7,
    "draft-07": DRAFT7,
    "7": DRAFT7,
    "2019-09": DRAFT2019,
    "draft2019-09": DRAFT2019,
    "2019": DRAFT2019,
    "2020-12": DRAFT2020,
    "draft2020-12": DRAFT2020,
    "2020": DRAFT2020,
}
URIS = {
    DRAFT4: "http://json-schema.org/draft-04/schema",
    DRAFT6: "http://json-schema.org/draft-06/schema",
    DRAFT7: "http://json-schema.org/draft-07/schema",
    DRAFT2019: "https://json-schema.org/draft/2019-09/schema",
    DRAFT2020: "https://json-schema.org/draft/2020-12/schema",
}
_BY_URI = {uri.partition("://")[2]: draft for draft, uri in URIS.items()} | {"json-schema.org/schema": DRAFT7}

_TOO_OLD = re.compile(r"json-schema\.org/draft-0[0-3]/")

SCHEMA_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMA_VALUES = frozenset(
    [
        "additionalProperties",
        "propertyNames",
        "items",
        "additionalItems",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "unevaluatedProperties",
        "unevaluatedItems",
        "contentSchema",
    ]
)


def dialect(name: str | int | None) -> int:
    """The dialect of an argument such as `draft7`, `2019-09` or a `$schema` URI; None: the newest."""
    if name is None:
        return NEWEST
    text = str(name).strip().rstrip("#")
    found = _NAMES.get(text.lower()) or _BY_URI.get(text.partition("://")[2])
    if found is None:
        raise ContractError(f"{name!r} is no JSON Schema dialect that is read here; use one of {', '.join(_NAMES)}.")
    return found


def dialect_of(schema: Any, default: str | int | None = None) -> int:
    """The dialect that a schema declares, else the default, else 2020-12.

    An unknown `$schema` (a meta-schema of one's own) is read as the default. Where nothing is declared, the nearest
    dialect is taken in which the schema's words mean something: `const` moves draft 4 to draft 6, a list of `items`
    2020-12 to 2019-09, `exclusiveMinimum: true` to draft 4.
    """
    if isinstance(schema, Mapping):
        declared = schema.get("$schema")
        if isinstance(declared, str):
            found = _BY_URI.get(declared.rstrip("#").partition("://")[2])
            if found is not None:
                return found
            if _TOO_OLD.search(declared):
                raise ContractError(
                    f"{declared} is older than draft 4, the oldest JSON Schema dialect that is read here."
                )
    return _nearest(schema, dialect(default))


def _nearest(schema: Any, draft: int) -> int:
    oldest, newest = DRAFT4, DRAFT2020
    stack = [schema]
    while stack:
        one = stack.pop()
        if isinstance(one, list):
            stack.extend(v for v in one if isinstance(v, Mapping | list))
        if not isinstance(one, Mapping):
            continue
        for key, value in one.items():
            if isinstance(value, bool):
                if key == "exclusiveMinimum" or key == "exclusiveMaximum":
                    newest = DRAFT4
            elif key == "items" and isinstance(value, list):
                newest = min(newest, DRAFT2019)
            elif key in _SCHEMA_WORDS and isinstance(value, Mapping | list):
                stack.extend(value.values() if key in SCHEMA_MAPS and isinstance(value, Mapping) else [value])
            if draft < DRAFT2020 and key in _SINCE:
                oldest = max(oldest, _SINCE[key])
    return min(max(draft, oldest), newest)


def modern(schema: Any, draft: int) -> Any:
    """The same schema written in 2020-12. References into `items/N` follow to `prefixItems/N`."""
    if draft >= DRAFT2020 or not isinstance(schema, Mapping):
        return schema
    return _modern(schema, draft)


def _modern(schema: Any, draft: int) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema and draft <= DRAFT7:
        kept = {k: v for k, v in schema.items() if k in ("definitions", "$defs")}
        schema = {"$ref": schema["$ref"], **kept}
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "$schema":
            continue
        if key == "id" and draft == DRAFT4 and isinstance(value, str):
            made["$id"] = value
        elif key == "$ref" and isinstance(value, str):
            made[key] = re.sub(r"/items/(\d+)", r"/prefixItems/\1", value)
        elif key in ("exclusiveMinimum", "exclusiveMaximum") and isinstance(value, bool):
            continue  # said with minimum and maximum, below
        elif key in ("minimum", "maximum"):
            strict = "exclusive" + key.capitalize()
            made[strict if schema.get(strict) is True else key] = value
        elif key == "items" and isinstance(value, list):
            made["prefixItems"] = [_modern(v, draft) for v in value]
            if "additionalItems" in schema:
                made["items"] = _modern(schema["additionalItems"], draft)
        elif key == "additionalItems":
            continue  # said by items, above; without a list of items it means nothing
        elif key == "dependencies" and isinstance(value, Mapping):
            lists = {k: v for k, v in value.items() if isinstance(v, list)}
            rules = {k: _modern(v, draft) for k, v in value.items() if not isinstance(v, list)}
            made |= {"dependentRequired": lists} if lists else {}
            made |= {"dependentSchemas": rules} if rules else {}
        elif _absent(key, draft):
            continue
        elif key in SCHEMA_MAPS and isinstance(value, Mapping):
            made[key] = {k: _modern(v, draft) for k, v in value.items()}
        elif key in SCHEMA_LISTS and isinstance(value, list):
            made[key] = [_modern(v, draft) for v in value]
        elif key in SCHEMA_VALUES:
            made[key] = _modern(value, draft)
        else:
            made[key] = value
    return made


_SCHEMA_WORDS = SCHEMA_MAPS | SCHEMA_LISTS | SCHEMA_VALUES | {"dependencies"}
_SINCE = {
    "const": DRAFT6,
    "contains": DRAFT6,
    "propertyNames": DRAFT6,
    "if": DRAFT7,
    "then": DRAFT7,
    "else": DRAFT7,
    "dependentRequired": DRAFT2019,
    "dependentSchemas": DRAFT2019,
    "minContains": DRAFT2019,
    "maxContains": DRAFT2019,
    "unevaluatedProperties": DRAFT2019,
    "unevaluatedItems": DRAFT2019,
    "prefixItems": DRAFT2020,
}


def _absent(key: str, draft: int) -> bool:
    return draft < _SINCE.get(key, DRAFT4)


def has(key: str, draft: int) -> bool:
    """Whether a keyword means anything in a dialect."""
    return draft >= _SINCE.get(key, DRAFT4)


def deeper_than(schema: Any, limit: int) -> bool:
    """Whether objects and lists are nested more than so deep (or hold themselves)."""
    level = [schema]
    for _ in range(limit):
        below: dict[int, Any] = {}  # what stands in several places is looked at once
        for one in level:
            parts = one.values() if isinstance(one, Mapping) else one
            below.update((id(part), part) for part in parts if isinstance(part, Mapping | list))
        if not below:
            return False
        level = list(below.values())
    return True


def formats_in(schema: Any) -> frozenset[str]:
    """Every `format` that a schema names."""
    found: set[str] = set()
    stack = [schema]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            if isinstance(one.get("format"), str):
                found.add(one["format"])
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
    return frozenset(found)


TYPE_NAMES = frozenset(("object", "array", "string", "integer", "number", "boolean", "null"))
SHAPES = ("properties", "required", "items", "additionalProperties", "enum", "$ref", "anyOf", "oneOf", "allOf")


def looks_like_json_schema(written: Any) -> bool:
    """Whether a dict that an author wrote as a contract is a JSON Schema, rather than names of fields with types."""
    if not isinstance(written, dict):
        return False
    kind = written.get("type")
    named = isinstance(kind, str) and kind in TYPE_NAMES
    shaped = any(isinstance(written.get(word), dict | list) for word in SHAPES)
    return "$schema" in written or (named and (shaped or len(written) == 1 or "description" in written))
