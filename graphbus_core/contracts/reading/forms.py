"""The words of standard typing and the JSON Schema that each stands for.

Shared by the reader of source (`static`) and the reader of live annotations (`annotations`), so that both give the
same contract. Knows neither `ast` nor live types.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Schema = dict[str, Any]

# Formats that stand for a Python type. On a link they are part of the type (`str` does not fit `datetime`);
# any other format is an annotation, as JSON Schema 2020-12 has it by default.
TYPE_FORMATS = frozenset({"date-time", "date", "time", "duration", "uuid", "decimal", "binary", "path"})
OPAQUE = "x-python-type"  # the name of a class that is nothing but its name

PLAIN: Mapping[str, Schema] = {
    "str": {"type": "string"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "NoneType": {"type": "null"},
    "list": {"type": "array"},
    "tuple": {"type": "array"},
    "set": {"type": "array", "uniqueItems": True},
    "frozenset": {"type": "array", "uniqueItems": True},
    "dict": {"type": "object"},
    "bytes": {"type": "string", "format": "binary"},
    "bytearray": {"type": "string", "format": "binary"},
    "object": {},
    "Any": {},
    "Number": {"type": "number"},
    "Real": {"type": "number"},
    "Integral": {"type": "integer"},
    "datetime": {"type": "string", "format": "date-time"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "timedelta": {"type": "string", "format": "duration"},
    "UUID": {"type": "string", "format": "uuid"},
    "Decimal": {"type": "string", "format": "decimal"},
    "Path": {"type": "string", "format": "path"},
    "PurePath": {"type": "string", "format": "path"},
    "LiteralString": {"type": "string"},
    "Text": {"type": "string"},
    "Hashable": {},
    # pydantic's own words
    "EmailStr": {"type": "string", "format": "email"},
    "AnyUrl": {"type": "string", "format": "uri"},
    "AnyHttpUrl": {"type": "string", "format": "uri"},
    "HttpUrl": {"type": "string", "format": "uri"},
    "IPvAnyAddress": {"type": "string", "format": "ipvanyaddress"},
    "StrictStr": {"type": "string"},
    "StrictInt": {"type": "integer"},
    "StrictFloat": {"type": "number"},
    "StrictBool": {"type": "boolean"},
    "PositiveInt": {"type": "integer", "exclusiveMinimum": 0},
    "NegativeInt": {"type": "integer", "exclusiveMaximum": 0},
    "NonNegativeInt": {"type": "integer", "minimum": 0},
    "NonPositiveInt": {"type": "integer", "maximum": 0},
    "PositiveFloat": {"type": "number", "exclusiveMinimum": 0},
    "NegativeFloat": {"type": "number", "exclusiveMaximum": 0},
    "NonNegativeFloat": {"type": "number", "minimum": 0},
    "NonPositiveFloat": {"type": "number", "maximum": 0},
    "JsonValue": {},
}

SEQUENCES = frozenset(
    [
        "list",
        "List",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "Collection",
        "deque",
        "Deque",
        "Generator",
        "AsyncIterable",
        "AsyncIterator",
    ]
)
SETS = frozenset(["set", "Set", "frozenset", "FrozenSet", "AbstractSet", "MutableSet"])
MAPPINGS = frozenset(["dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict", "DefaultDict"])
TUPLES = frozenset({"tuple", "Tuple"})
TRANSPARENT = frozenset({"Final", "ReadOnly", "InitVar", "SkipValidation", "Unpack", "Awaitable"})  # they wrap a type

# Words of `annotated_types` and of pydantic's Field -> the JSON Schema keyword, by the kind of value they bound.
NUMBER_WORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
LENGTH_WORDS = {
    "min_length": {"string": "minLength", "array": "minItems", "object": "minProperties"},
    "max_length": {"string": "maxLength", "array": "maxItems", "object": "maxProperties"},
}
METADATA_WORDS = {  # class of annotated_types -> the word of its one argument
    "Ge": "ge",
    "Gt": "gt",
    "Le": "le",
    "Lt": "lt",
    "MultipleOf": "multiple_of",
    "MinLen": "min_length",
    "MaxLen": "max_length",
}


def union(members: Sequence[Schema]) -> Schema:
    """The schema of `A | B`: one list of types where that says it all, else `anyOf` without doubles."""
    once: dict[str, Schema] = {}  # by text: to Python, `Literal[1]` and `Literal[True]` are equal
    for member in members:
        parts = member["anyOf"] if set(member) == {"anyOf"} else [member]
        for part in parts:
            once.setdefault(json.dumps(part, sort_keys=True, default=repr), part)
    flat = list(once.values())
    if {} in flat:
        return {}
    if len(flat) == 1:
        return flat[0]
    names: list[str] = []
    for part in flat:
        if set(part) != {"type"}:
            return {"anyOf": flat}
        kinds = part["type"] if isinstance(part["type"], list) else [part["type"]]
        names += [k for k in kinds if k not in names]
    if "number" in names and "integer" in names:
        names.remove("integer")
    return {"type": names if len(names) > 1 else names[0]}


CALLABLE = "collections.Callable"  # whatever can be called
CALLABLES = frozenset({"Callable", "typing.Callable", "collections.abc.Callable"})
CLASS = "builtins.type"  # a class as a value: `type[Order]`


def opaque(name: str) -> Schema:
    """The schema of a class that nobody here can look into: its package and its own name.

    Inner modules are left out: `pandas.DataFrame` is the same class as `pandas.core.frame.DataFrame`. So are the second
    names that the standard library has for its own: `types.ModuleType` is the class `module` of the builtins.
    """
    package, _, rest = name.partition(".")
    if name in CALLABLES:
        return {OPAQUE: CALLABLE}
    if package == "types" and isinstance(made := getattr(types, rest, None), type):
        package, rest = made.__module__, made.__qualname__
    return {OPAQUE: f"{package}.{rest.rpartition('.')[2]}" if rest else name}


def literal(values: Sequence[Any]) -> Schema:
    """The schema of `Literal[…]` or of an Enum."""
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def items(of: Schema) -> Schema:
    """The schema of `list[of]`."""
    return {"type": "array", "items": of} if of else {"type": "array"}


def unique(of: Schema) -> Schema:
    """The schema of `set[of]`."""
    return {**items(of), "uniqueItems": True}


def mapping(key: Schema, value: Schema) -> Schema:
    """The schema of `dict[key, value]`. JSON keys are text; only what a key type says about text is kept."""
    made: Schema = {"type": "object"}
    if value:
        made["additionalProperties"] = value
    limits = {k: v for k, v in key.items() if k in ("pattern", "minLength", "maxLength")}
    if "enum" in key:
        limits["enum"] = [key_text(v) for v in key["enum"]]
    if "const" in key:
        limits["const"] = key_text(key["const"])
    if limits:
        made["propertyNames"] = limits
    return made


def key_text(key: Any) -> Any:
    """A key of a mapping as the text that it becomes in JSON: `1` as "1", `True` as "true"."""
    return json.dumps(key) if key is None or isinstance(key, int | float) else key


def fixed(members: Sequence[Schema], rest: Schema | None = None) -> Schema:
    """The schema of `tuple[A, B]`: so many items and no more; with `rest`, of `tuple[A, B, *tuple[rest, ...]]`."""
    if rest is not None:
        first = {"prefixItems": list(members), "minItems": len(members)} if members else {}
        return {"type": "array", **first, **({"items": rest} if rest else {})}
    if not members:
        return {"type": "array", "maxItems": 0}
    return {"type": "array", "prefixItems": list(members), "minItems": len(members), "maxItems": len(members)}


def record(fields: Iterable[tuple[str, Schema, bool]], *, extra: bool | None = None) -> Schema:
    """The schema of an object from (name, schema, required). `extra` None says nothing of further fields."""
    made: Schema = {"type": "object", "properties": {}, "required": []}
    for name, schema, required in fields:
        made["properties"][name] = schema
        if required:
            made["required"].append(name)
    if not made["required"]:
        del made["required"]
    if extra is not None:
        made["additionalProperties"] = extra
    return made


def constrain(schema: Schema, word: str, value: Any) -> Schema:
    """`schema` with one constraint by its Python word (`ge`, `min_length`, `pattern`, `description` …).

    On a union the constraint goes to the members that it can mean; a word that means nothing here is ignored.
    """
    if value is None:
        return schema
    if word in ("description", "title", "examples", "deprecated"):
        return {**schema, word: value}
    if "anyOf" in schema:
        return {**schema, "anyOf": [constrain(s, word, value) for s in schema["anyOf"]]}
    kinds = _kinds(schema)
    if word in NUMBER_WORDS:
        if kinds & {"integer", "number"}:
            return _both(schema, NUMBER_WORDS[word], value)
    elif word in LENGTH_WORDS:
        for kind, keyword in LENGTH_WORDS[word].items():
            if kind in kinds:
                schema = _both(schema, keyword, value)
    elif word == "pattern" and "string" in kinds:
        return _both(schema, "pattern", value)
    return schema


def _both(schema: Schema, keyword: str, value: Any) -> Schema:
    if keyword in schema and schema[keyword] != value:
        return {**schema, "allOf": [*schema.get("allOf", []), {keyword: value}]}
    return {**schema, keyword: value}


def _kinds(schema: Schema) -> frozenset[str]:
    kind = schema.get("type", ())
    return frozenset([kind] if isinstance(kind, str) else kind)
