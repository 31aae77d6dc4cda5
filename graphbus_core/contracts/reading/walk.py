"""The one walk over the keywords of JSON Schema: which parts of a schema are schemas, and where a pointer leads.

Whoever goes through schemas asks here, so that a keyword is added in one place. `enum`, `const`, `default` and
`examples` hold data: nothing in them is a schema, whatever it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

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
# Words that say nothing about which values fit.
SILENT = frozenset(
    [
        *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly"),
        *("$schema", "$id", "id", "$comment", "contentMediaType", "contentEncoding", "discriminator"),
        *("$defs", "definitions"),
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


def parts(schema: Any) -> Iterator[tuple[Place, Any]]:
    """Every schema that stands directly within a schema, with its place: `("properties", "a")`, `("items",)`."""
    if type(schema) is not dict and not isinstance(schema, Mapping):  # asking `Mapping` costs ten times as much
        return
    for key, value in schema.items():
        if key not in SCHEMA_WORDS:
            continue
        if isinstance(value, Mapping) and (key in SCHEMA_MAPS or key == "dependencies"):
            for name, one in value.items():
                if isinstance(one, Mapping | bool):  # the lists of draft 4's `dependencies` are names
                    yield (key, name), one
        elif isinstance(value, list) and (key in SCHEMA_LISTS or key == "items"):
            for i, one in enumerate(value):
                yield (key, i), one
        elif key in SCHEMA_VALUES:
            yield (key,), value


def in_place(schema: Any) -> Iterator[tuple[str, Any]]:
    """The schemas within a schema that speak of the same value as it does, each with its keyword; no references."""
    return ((str(place[0]), one) for place, one in parts(schema) if place[0] in IN_PLACE)


def mapped(schema: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of a schema in which every schema directly within it went through `change`."""
    if type(schema) is not dict and not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = dict(schema)
    for place, one in parts(schema):
        new = change(one)
        if new is one:
            continue
        if len(place) == 1:
            made[place[0]] = new  # type: ignore[index]
            continue
        key = str(place[0])
        if made[key] is schema[key]:
            made[key] = schema[key].copy()
        made[key][place[1]] = new
    return made


def everything(schema: Any) -> Iterator[tuple[Place, Any]]:
    """A schema and all schemas within it, outermost first; one that stands in several places comes once."""
    stack: list[tuple[Place, Any]] = [((), schema)]
    seen: set[int] = set()
    while stack:
        place, one = stack.pop()
        if id(one) in seen and (type(one) is dict or isinstance(one, Mapping)):
            continue
        seen.add(id(one))
        yield place, one
        stack.extend((place + inner, sub) for inner, sub in reversed(list(parts(one))))


def follow(document: Any, pointer: str) -> Any:
    """What a JSON pointer (`/a/0`, or `#/a/0`) leads to within a document, or NOWHERE."""
    found = document
    for part in unquote(pointer.removeprefix("#")).split("/")[1:]:
        part = unescaped(part)
        if isinstance(found, Mapping) and part in found:
            found = found[part]
        elif isinstance(found, list) and _INDEX.fullmatch(part) and int(part) < len(found):
            found = found[int(part)]
        else:
            return NOWHERE
    return found


def is_number(value: Any) -> bool:
    """Whether JSON would call it a number: true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(a: Any, b: Any) -> bool:
    """Deep equality that tells 1 from true."""
    if a is b:
        return True
    if isinstance(a, Mapping):
        return isinstance(b, Mapping) and a.keys() == b.keys() and all(same(v, b[k]) for k, v in a.items())
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def escaped(part: object) -> str:
    """One part of a place as a JSON pointer writes it: `a~1b` for `a/b`."""
    return str(part).replace("~", "~0").replace("/", "~1")


def unescaped(part: str) -> str:
    """The inverse of `escaped`."""
    return part.replace("~1", "/").replace("~0", "~")


def pointer_text(place: Place) -> str:
    """`/properties/a~1b` from the parts of a place; empty for the whole document."""
    return "".join("/" + escaped(part) for part in place)
