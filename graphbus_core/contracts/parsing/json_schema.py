"""The dialects of JSON Schema that are read, and how an older schema is written in 2020-12.

Draft 4, 6, 7, 2019-09 and 2020-12. `$schema` decides, else the caller, else 2020-12.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from graphbus_core.errors import ContractError

# The one walk over the keywords of JSON Schema: which parts of a schema are schemas, and where a pointer leads.
#
# Whoever goes through schemas asks here, so that a keyword is added in one place. `enum`, `const`, `default` and
# `examples` hold data: nothing in them is a schema, whatever it looks like.


SCHEMA_MAPS = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"})
SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMA_VALUES = frozenset(
    [
        *("additionalProperties", "propertyNames", "items", "additionalItems", "contains", "not", "if", "then", "else"),
        *("unevaluatedProperties", "unevaluatedItems", "contentSchema"),
    ]
)
SCHEMA_WORDS = SCHEMA_MAPS | SCHEMA_LISTS | SCHEMA_VALUES | {"dependencies"}
# What they hold speaks of the same value as the schema around them; all other schemas speak of a part of it.
IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies"})
_INDEX = re.compile("0|[1-9][0-9]{0,8}")  # RFC 6901, section 4; no list here is as long
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
DATA = frozenset({"enum", "const", "default", "examples", "example"})
# Put into a branch of a union by `unions`: the branch as it was written, and the texts that tell it.
BRANCH = "x-graphbus-branch"
# Words that say nothing about which values fit.
SILENT = frozenset(
    [
        *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$id", "id", "$comment", "contentMediaType", "contentEncoding", "discriminator"),
        *("$defs", "definitions", BRANCH),
    ]
)
COUNTS = (
    *("minLength", "maxLength", "minItems", "maxItems"),
    *("minProperties", "maxProperties", "minContains", "maxContains"),
)
# What else a keyword holds; those that hold one thing in one dialect and another in the next are not here.
FORMS: Mapping[str, Any] = {
    **dict.fromkeys((*SCHEMA_MAPS, "dependencies", "dependentRequired", "$vocabulary"), dict),
    **dict.fromkeys((*SCHEMA_LISTS, "enum", "examples"), list),
    **dict.fromkeys(("minimum", "maximum", "multipleOf", *COUNTS), int | float),
    **dict.fromkeys(("pattern", "format", "description", "title", "contentMediaType", "contentEncoding"), str),
    **dict.fromkeys(("$ref", "$schema", "$comment", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor"), str),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), bool),
}
Place = tuple[str | int, ...]
NOWHERE: Any = type("_Nowhere", (), {"__bool__": lambda _: False, "__repr__": lambda _: "NOWHERE"})()


def iter_subschemas(schema: Any) -> Iterator[tuple[Place, Any]]:
    """Every schema that stands directly within a schema, with its place: `("properties", "a")`, `("items",)`."""
    if type(schema) is not dict and not isinstance(schema, Mapping):  # asking `Mapping` costs ten times as much
        return
    # Documents of APIs have a hundred thousand schemas, and asking `type` first saves a third of the time here.
    for key, value in schema.items():
        if key not in SCHEMA_WORDS:
            continue
        kind = type(value)
        if kind is dict or (kind is not list and isinstance(value, Mapping)):
            if key in SCHEMA_MAPS or key == "dependencies":
                for name, subschema in value.items():
                    if type(subschema) is dict or isinstance(subschema, Mapping | bool):  # draft 4 lists names there
                        yield (key, name), subschema
                continue
        elif isinstance(value, list) and (key in SCHEMA_LISTS or key == "items"):
            for i, subschema in enumerate(value):
                yield (key, i), subschema
            continue
        if key in SCHEMA_VALUES:
            yield (key,), value


def iter_in_place(schema: Any) -> Iterator[tuple[str, Any]]:
    """The schemas within a schema that speak of the same value as it does, each with its keyword; no references."""
    return ((str(place[0]), subschema) for place, subschema in iter_subschemas(schema) if place[0] in IN_PLACE)


def map_subschemas(schema: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a schema in which every schema directly within it went through `change`."""
    if type(schema) is not dict and not isinstance(schema, Mapping):
        return schema
    copied: dict[str, Any] = dict(schema)
    for place, subschema in iter_subschemas(schema):
        new = change(subschema)
        if new is subschema:
            continue
        if len(place) == 1:
            copied[place[0]] = new  # type: ignore[index]
            continue
        key = str(place[0])
        if copied[key] is schema[key]:
            copied[key] = schema[key].copy()
        copied[key][place[1]] = new
    return copied


def walk_schemas(schema: Any) -> Iterator[tuple[Place, Any]]:
    """A schema and all schemas within it, outermost first; one that stands in several places comes once."""
    stack: list[tuple[Place, Any]] = [((), schema)]
    visited: set[int] = set()
    while stack:
        place, node = stack.pop()
        if id(node) in visited and (type(node) is dict or isinstance(node, Mapping)):
            continue
        visited.add(id(node))
        yield place, node
        stack.extend((place + inner, sub) for inner, sub in reversed(list(iter_subschemas(node))))


def follow_pointer(document: Any, pointer: str) -> Any:
    """What a JSON pointer (`/a/0`, or `#/a/0`) leads to within a document, or NOWHERE."""
    target = document
    for part in unquote(pointer.removeprefix("#")).split("/")[1:]:
        part = decode_pointer_part(part)
        if isinstance(target, Mapping) and part in target:
            target = target[part]
        elif isinstance(target, list) and _INDEX.fullmatch(part) and int(part) < len(target):
            target = target[int(part)]
        else:
            return NOWHERE
    return target


def is_number(value: Any) -> bool:
    """Whether JSON would call it a number: true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_same_json(a: Any, b: Any) -> bool:
    """Deep equality that tells 1 from true."""
    if a is b:
        return True
    if isinstance(a, Mapping):
        return isinstance(b, Mapping) and a.keys() == b.keys() and all(is_same_json(v, b[k]) for k, v in a.items())
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(is_same_json, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def encode_pointer_part(part: object) -> str:
    """One part of a place as a JSON pointer writes it: `a~1b` for `a/b`."""
    return str(part).replace("~", "~0").replace("/", "~1")


def decode_pointer_part(part: str) -> str:
    """The inverse of `encode_pointer_part`."""
    return part.replace("~1", "/").replace("~0", "~")


def render_pointer(place: Place) -> str:
    """`/properties/a~1b` from the parts of a place; empty for the whole document."""
    return "".join("/" + encode_pointer_part(part) for part in place)


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


def parse_dialect(name: str | int | None) -> int:
    """The dialect of an argument such as `draft7`, `2019-09` or a `$schema` URI; None: the newest."""
    if name is None:
        return NEWEST
    text = str(name).strip().rstrip("#")
    draft = _NAMES.get(text.lower()) or _BY_URI.get(text.partition("://")[2])
    if draft is None:
        raise ContractError(f"{name!r} is not a JSON Schema dialect that is read here; use one of {', '.join(_NAMES)}.")
    return draft


def detect_dialect(schema: Any, default: str | int | None = None) -> int:
    """The dialect that a schema declares, else the default, else 2020-12.

    An unknown `$schema` (a meta-schema of one's own) is read as the default. Where nothing is declared, the nearest
    dialect is taken in which the schema's words mean something: `const` moves draft 4 to draft 6, a list of `items`
    2020-12 to 2019-09, `exclusiveMinimum: true` to draft 4.
    """
    if isinstance(schema, Mapping):
        declared = schema.get("$schema")
        if isinstance(declared, str):
            draft = _BY_URI.get(declared.rstrip("#").partition("://")[2])
            if draft is not None:
                return draft
            if _TOO_OLD.search(declared):
                raise ContractError(
                    f"{declared} is older than draft 4, the oldest JSON Schema dialect that is read here."
                )
    return _find_nearest_dialect(schema, parse_dialect(default))


def _find_nearest_dialect(schema: Any, draft: int) -> int:
    oldest, newest = DRAFT4, DRAFT2020
    stack = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, list):
            stack.extend(v for v in node if isinstance(v, Mapping | list))
        if not isinstance(node, Mapping):
            continue
        for key, value in node.items():
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


def convert_to_newest(schema: Any, draft: int) -> Any:
    """The same schema written in 2020-12. References into `items/N` follow to `prefixItems/N`."""
    if draft >= DRAFT2020 or not isinstance(schema, Mapping):
        return schema
    return _convert_schema(schema, draft)


def _convert_schema(schema: Any, draft: int) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    if "$ref" in schema and draft <= DRAFT7:  # what stands beside a reference says nothing there
        schema = {k: v for k, v in schema.items() if k in ("$ref", "definitions", "$defs")}
    kept_keywords = {
        k: v for k, v in schema.items() if k not in ("$schema", "additionalItems") and not _is_absent(k, draft)
    }
    converted: dict[str, Any] = {}
    for key, value in map_subschemas(kept_keywords, lambda subschema: _convert_schema(subschema, draft)).items():
        rewrite = _REWRITTEN.get(key)
        converted |= {key: value} if rewrite is None else rewrite(key, value, schema, draft)
    return converted


def convert_dependencies(schema: Any) -> Any:
    """The `dependencies` of older drafts as 2019-09 and later say them."""
    converted = map_subschemas(schema, convert_dependencies)
    if not isinstance(converted, dict) or "dependencies" not in converted:
        return converted
    rest = {k: v for k, v in converted.items() if k != "dependencies"}
    return rest | _split_dependencies("dependencies", converted["dependencies"], schema, NEWEST)


def _convert_id(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    return {"$id" if draft == DRAFT4 and isinstance(value, str) else key: value}


def _convert_reference(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    return {key: re.sub(r"/items/(\d+)", r"/prefixItems/\1", value) if isinstance(value, str) else value}


def _convert_exclusive_bound(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    """`exclusiveMinimum: true` belongs to `minimum`; a number, which draft 4 did not have, is a bound as well."""
    return {} if isinstance(value, bool) else {key: value}


def _convert_bound(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    strict = "exclusive" + key.capitalize()
    return {strict if schema.get(strict) is True else key: value}


def _convert_items(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    if not isinstance(value, list):
        return {key: value}
    more = {"items": _convert_schema(schema["additionalItems"], draft)} if "additionalItems" in schema else {}
    return {"prefixItems": value, **more}


def _split_dependencies(key: str, value: Any, schema: Mapping[str, Any], draft: int) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {key: value}
    lists = {k: v for k, v in value.items() if isinstance(v, list)}
    rules = {k: v for k, v in value.items() if not isinstance(v, list)}
    return ({"dependentRequired": lists} if lists else {}) | ({"dependentSchemas": rules} if rules else {})


_REWRITTEN = {
    "id": _convert_id,
    "$ref": _convert_reference,
    "exclusiveMinimum": _convert_exclusive_bound,
    "exclusiveMaximum": _convert_exclusive_bound,
    "minimum": _convert_bound,
    "maximum": _convert_bound,
    "items": _convert_items,
    "dependencies": _split_dependencies,
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


def _is_absent(key: str, draft: int) -> bool:
    return draft < SINCE.get(key, DRAFT4)


def has_keyword(key: str, draft: int) -> bool:
    """Whether a keyword means anything in a dialect."""
    return draft >= SINCE.get(key, DRAFT4)


def is_deeper_than(schema: Any, limit: int) -> bool:
    """Whether objects and lists are nested more than so deep (or hold themselves)."""
    level = [schema]
    for _ in range(limit):
        below: dict[int, Any] = {}  # what stands in several places is looked at once
        for container in level:
            parts = container.values() if isinstance(container, Mapping) else container
            below.update((id(part), part) for part in parts if isinstance(part, Mapping | list))
        if not below:
            return False
        level = list(below.values())
    return True


def collect_formats(schema: Any) -> frozenset[str]:
    """Every `format` that a schema names."""
    format_names: set[str] = set()
    stack = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            if isinstance(node.get("format"), str):
                format_names.add(node["format"])
            stack.extend(node.values())
        elif isinstance(node, list):
            stack.extend(node)
    return frozenset(format_names)


TYPE_NAMES = frozenset(("object", "array", "string", "integer", "number", "boolean", "null"))
SHAPES = ("properties", "required", "items", "additionalProperties", "enum", "$ref", "anyOf", "oneOf", "allOf")


def is_likely_json_schema(contract: Any) -> bool:
    """Whether a dict that an author wrote as a contract is a JSON Schema, rather than names of fields with types."""
    if not isinstance(contract, dict):
        return False
    kind = contract.get("type")
    names_a_type = isinstance(kind, str) and kind in TYPE_NAMES
    shaped = any(isinstance(contract.get(word), dict | list) for word in SHAPES)
    return "$schema" in contract or (names_a_type and (shaped or len(contract) == 1 or "description" in contract))
