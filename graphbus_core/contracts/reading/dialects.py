"""The dialects of JSON Schema that are read, and how an older schema is written in 2020-12.

Draft 4, 6, 7, 2019-09 and 2020-12. `$schema` decides, else the caller, else 2020-12.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphbus_core.contracts.reading.walk import SCHEMA_MAPS, SCHEMA_WORDS, mapped
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


def dialect(name: str | int | None) -> int:
    """The dialect of an argument such as `draft7`, `2019-09` or a `$schema` URI; None: the newest."""
    if name is None:
        return NEWEST
    text = str(name).strip().rstrip("#")
    found = _NAMES.get(text.lower()) or _BY_URI.get(text.partition("://")[2])
    if found is None:
        raise ContractError(f"{name!r} is not a JSON Schema dialect that is read here; use one of {', '.join(_NAMES)}.")
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
            elif key in SCHEMA_WORDS and isinstance(value, Mapping | list):
                stack.extend(value.values() if key in SCHEMA_MAPS and isinstance(value, Mapping) else [value])
            if key in SINCE:
                oldest = max(oldest, SINCE[key])
    return min(max(draft, oldest), newest)


def modern(schema: Any, draft: int) -> Any:
    """The same schema written in 2020-12. References into `items/N` follow to `prefixItems/N`."""
    if draft >= DRAFT2020 or not isinstance(schema, Mapping):
        return schema
    return _modern(schema, draft)


def _modern(schema: Any, draft: int) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema and draft <= DRAFT7:  # what stands beside a reference says nothing there
        schema = {k: v for k, v in schema.items() if k in ("$ref", "definitions", "$defs")}
    kept = {k: v for k, v in schema.items() if k not in ("$schema", "additionalItems") and not _absent(k, draft)}
    made: dict[str, Any] = {}
    for key, value in mapped(kept, lambda one: _modern(one, draft)).items():
        rewrite = _REWRITTEN.get(key)
        made |= {key: value} if rewrite is None else rewrite(key, value, schema, draft)
    return made


def with_dependencies(schema: Any) -> Any:
    """The `dependencies` of older drafts as 2019-09 and later say them."""
    made = mapped(schema, with_dependencies)
    if not isinstance(made, dict) or "dependencies" not in made:
        return made
    rest = {k: v for k, v in made.items() if k != "dependencies"}
    return rest | _dependencies("dependencies", made["dependencies"], schema, NEWEST)


def _id(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    return {"$id" if draft == DRAFT4 and isinstance(value, str) else key: value}


def _reference(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    return {key: re.sub(r"/items/(\d+)", r"/prefixItems/\1", value) if isinstance(value, str) else value}


def _strict(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    """`exclusiveMinimum: true` is said with `minimum`; a number, which draft 4 did not have, is a bound as well."""
    return {} if isinstance(value, bool) else {key: value}


def _bound(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    strict = "exclusive" + key.capitalize()
    return {strict if schema.get(strict) is True else key: value}


def _items(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    if not isinstance(value, list):
        return {key: value}
    more = {"items": _modern(schema["additionalItems"], draft)} if "additionalItems" in schema else {}
    return {"prefixItems": value, **more}


def _dependencies(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {key: value}
    lists = {k: v for k, v in value.items() if isinstance(v, list)}
    rules = {k: v for k, v in value.items() if not isinstance(v, list)}
    return ({"dependentRequired": lists} if lists else {}) | ({"dependentSchemas": rules} if rules else {})


_REWRITTEN = {
    "id": _id,
    "$ref": _reference,
    "exclusiveMinimum": _strict,
    "exclusiveMaximum": _strict,
    "minimum": _bound,
    "maximum": _bound,
    "items": _items,
    "dependencies": _dependencies,
}
SINCE = {
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
    return draft < SINCE.get(key, DRAFT4)


def has(key: str, draft: int) -> bool:
    """Whether a keyword means anything in a dialect."""
    return draft >= SINCE.get(key, DRAFT4)


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
