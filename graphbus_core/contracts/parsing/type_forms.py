"""The words of standard typing and the JSON Schema that each stands for.

Shared by the reader of source (`static`) and the reader of live annotations (`annotations`), so that both give the
same contract. Knows neither `ast` nor live types.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.text import shorten

Schema = dict[str, Any]

# Formats that stand for a Python type. On a link they are part of the type (`str` does not fit `datetime`);
# any other format is an annotation, as JSON Schema 2020-12 has it by default.
TYPE_FORMATS = frozenset({"date-time", "date", "time", "duration", "uuid", "decimal", "binary", "path", "regex"})
TYPE_FORMATS |= {
    "ipv4",
    "ipv6",
    "ipv4network",
    "ipv6network",
    "ipv4interface",
    "ipv6interface",
}  # as pydantic names them
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
    "Never": {"not": {}},
    "NoReturn": {"not": {}},
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
    "IPv4Address": {"type": "string", "format": "ipv4"},
    "IPv6Address": {"type": "string", "format": "ipv6"},
    "IPv4Network": {"type": "string", "format": "ipv4network"},
    "IPv6Network": {"type": "string", "format": "ipv6network"},
    "IPv4Interface": {"type": "string", "format": "ipv4interface"},
    "IPv6Interface": {"type": "string", "format": "ipv6interface"},
    "Pattern": {"type": "string", "format": "regex"},
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

PARAMETRIZED = frozenset({"Pattern"})  # plain, whatever stands in their brackets

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


def build_union(members: Sequence[Schema]) -> Schema:
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


def require_field(schema: Schema, name: str) -> Schema:
    """An object, or each of a union, with a field that must be there: what tells the members of a union apart."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [require_field(member, name) for member in schema["anyOf"]]}
    if name not in schema.get("properties", ()) or name in schema.get("required", ()):
        return schema
    return {**schema, "required": [*schema.get("required", ()), name]}


CALLABLE = "collections.Callable"  # whatever can be called
CALLABLES = frozenset({"Callable", "typing.Callable", "collections.abc.Callable"})
CLASS = "builtins.type"  # a class as a value: `type[Order]`


def build_opaque(name: str) -> Schema:
    """The schema of a class that nobody here can look into: its package and its own name.

    Inner modules are left out: `pandas.DataFrame` is the same class as `pandas.core.frame.DataFrame`. So are the second
    names that the standard library has for its own: `types.ModuleType` is the class `module` of the builtins.
    """
    package, _, rest = name.partition(".")
    if name in CALLABLES:
        return {OPAQUE: CALLABLE}
    if package == "types" and isinstance(member := getattr(types, rest, None), type):
        package, rest = member.__module__, member.__qualname__
    return {OPAQUE: f"{package}.{rest.rpartition('.')[2]}" if rest else name}


def build_literal(values: Sequence[Any]) -> Schema:
    """The schema of `Literal[…]` or of an Enum."""
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def build_array(item: Schema) -> Schema:
    """The schema of `list[of]`."""
    return {"type": "array", "items": item} if item else {"type": "array"}


def build_set(item: Schema) -> Schema:
    """The schema of `set[of]`."""
    return {**build_array(item), "uniqueItems": True}


def build_mapping(key: Schema, value: Schema) -> Schema:
    """The schema of `dict[key, value]`. JSON keys are text; only what a key type says about text is kept."""
    schema: Schema = {"type": "object"}
    if value:
        schema["additionalProperties"] = value
    limits = {k: v for k, v in key.items() if k in ("pattern", "minLength", "maxLength")}
    if "enum" in key:
        limits["enum"] = [render_key(v) for v in key["enum"]]
    if "const" in key:
        limits["const"] = render_key(key["const"])
    if limits:
        schema["propertyNames"] = limits
    return schema


def render_key(key: Any) -> Any:
    """A key of a mapping as the text that it becomes in JSON: `1` as "1", `True` as "true"."""
    return json.dumps(key) if key is None or isinstance(key, int | float) else key


def build_tuple(members: Sequence[Schema], rest: Schema | None = None) -> Schema:
    """The schema of `tuple[A, B]`: so many items and no more; with `rest`, of `tuple[A, B, *tuple[rest, ...]]`."""
    if rest is not None:
        first = {"prefixItems": list(members), "minItems": len(members)} if members else {}
        return {"type": "array", **first, **({"items": rest} if rest else {})}
    if not members:
        return {"type": "array", "maxItems": 0}
    return {"type": "array", "prefixItems": list(members), "minItems": len(members), "maxItems": len(members)}


def build_object(fields: Iterable[tuple[str, Schema, bool]], *, extra: bool | Schema | None = None) -> Schema:
    """The schema of an object from (name, schema, required). `extra` None says nothing of further fields."""
    built: Schema = {"type": "object", "properties": {}, "required": []}
    for name, schema, required in fields:
        built["properties"][name] = schema
        if required:
            built["required"].append(name)
    if not built["required"]:
        del built["required"]
    if extra is not None:
        built["additionalProperties"] = extra
    return built


def add_constraint(schema: Schema, word: str, value: Any) -> Schema:
    """`schema` with one constraint by its Python word (`ge`, `min_length`, `pattern`, `description` …).

    On a union the constraint goes to the members that it can mean; a word that means nothing here is ignored.
    """
    if value is None:
        return schema
    if word in ("description", "title", "examples", "deprecated"):
        return {**schema, word: value}
    if "anyOf" in schema:
        return {**schema, "anyOf": [add_constraint(s, word, value) for s in schema["anyOf"]]}
    if word == "discriminator":
        return require_field(schema, str(value))
    kinds = _list_kinds(schema)
    if word in NUMBER_WORDS:
        if kinds & {"integer", "number"}:
            return _add_keyword(schema, NUMBER_WORDS[word], value)
    elif word in LENGTH_WORDS:
        for kind, keyword in LENGTH_WORDS[word].items():
            if kind in kinds:
                schema = _add_keyword(schema, keyword, value)
    elif word == "pattern" and "string" in kinds:
        return _add_keyword(schema, "pattern", value)
    return schema


def _add_keyword(schema: Schema, keyword: str, value: Any) -> Schema:
    if keyword in schema and schema[keyword] != value:
        return {**schema, "allOf": [*schema.get("allOf", []), {keyword: value}]}
    return {**schema, keyword: value}


def _list_kinds(schema: Schema) -> frozenset[str]:
    kind = schema.get("type", ())
    return frozenset([kind] if isinstance(kind, str) else kind)


# A schema in the words of a Python annotation, for messages and for the `type` texts of field operations.


WORDS = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "array": "list",
    "object": "dict",
}
FORMATS = {
    "date-time": "datetime",
    "date": "date",
    "time": "time",
    "duration": "timedelta",
    "uuid": "UUID",
    "decimal": "Decimal",
    "binary": "bytes",
    "path": "Path",
    "ipv4": "IPv4Address",
    "ipv6": "IPv6Address",
    "ipv4network": "IPv4Network",
    "ipv6network": "IPv6Network",
    "ipv4interface": "IPv4Interface",
    "ipv6interface": "IPv6Interface",
    "regex": "Pattern",
}
_LIMITS = {keyword: word for word, keyword in NUMBER_WORDS.items()} | {"pattern": "pattern"}
_LIMITS |= {of[kind]: word for word, of in LENGTH_WORDS.items() for kind in ("string", "array")}


# A contract that contains itself would be written out for ever.
ITSELF = ("#", "#/$defs/old", "#/$defs/new")  # the whole contract, also where two versions of it are in one document


def annotation(schema: Any, depth: int = 0) -> str:
    """The annotation that reads back as `schema` where there is one, else the nearest wider one."""
    if depth > 12 or not isinstance(schema, dict):
        return "Any"
    # A type that only its own project knows goes by its name.
    if isinstance(schema.get(OPAQUE), str):
        return str(schema[OPAQUE])
    if schema.get("$ref") in ITSELF:
        return "itself"
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2] or "Any"
    if "const" in schema or "enum" in schema:
        return _render_literal(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            # Each wording once: branches that differ in what no annotation says read alike.
            return " | ".join(dict.fromkeys(annotation(s, depth + 1) for s in schema[key]))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(annotation({**schema, "type": k}, depth + 1) for k in kinds)
    if kinds == "object" or (kinds is None and "properties" in schema):
        return _render_object(schema, depth)
    return _render_array(schema, depth) if kinds == "array" else _render_scalar(schema)


def _render_literal(schema: dict[str, Any]) -> str:
    values = [schema["const"]] if "const" in schema else schema["enum"]
    # Only what `Literal` may hold. A list inside would read back as something else.
    plain = all(v is None or isinstance(v, str | int | bool) for v in values)
    return f"Literal[{', '.join(map(repr, values))}]" if plain else "Any"


def _render_scalar(schema: dict[str, Any]) -> str:
    """A word with its bounds. A bound that is only the mark of a type (`tagged`) is nothing that its author wrote."""
    word = FORMATS.get(schema.get("format", ""), "") or WORDS.get(str(schema.get("type")), "Any")
    # Marks of tagged types are made of a private letter, and are nobody's words.
    limits = [f"{_LIMITS[k]}={v!r}" for k, v in schema.items() if k in _LIMITS and "\ue000" not in str(v)]
    return f"Annotated[{word}, Field({', '.join(limits)})]" if limits else word


def _render_object(schema: dict[str, Any], depth: int) -> str:
    if isinstance(schema.get("properties"), dict):
        required = schema.get("required", ())
        required = required if isinstance(required, list | tuple) else ()
        rows = []
        for name, field in schema["properties"].items():
            text = annotation(field, depth + 1)
            rows.append(f"{json.dumps(name)}: {text if name in required else f'NotRequired[{text}]'}")
        return "{" + ", ".join(rows) + "}"
    more = schema.get("additionalProperties")
    return f"dict[str, {annotation(more, depth + 1)}]" if isinstance(more, dict) and more else "dict"


def _render_array(schema: dict[str, Any], depth: int) -> str:
    if "prefixItems" in schema:
        # Where the rest of a tuple is open the annotation is wider than the schema. The docstring's "nearest wider"
        # is this.
        return f"tuple[{', '.join(annotation(s, depth + 1) for s in schema['prefixItems'])}]"
    word = "set" if schema.get("uniqueItems") is True else "list"
    item = schema.get("items")
    return f"{word}[{annotation(item, depth + 1)}]" if isinstance(item, dict) and item else word


def render_short(value: Any, limit: int = 60) -> str:
    """A value as JSON, cut where it is long. Never more is written out than is shown."""
    try:
        # Cut before it is written: a payload may be megabytes, and sixty letters of it are shown.
        text = json.dumps(_cut_head(value, limit), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return shorten(text, limit)


def _cut_head(value: Any, limit: int) -> Any:
    """The part of a value that can be seen in so many letters, and a little more."""
    if isinstance(value, str):
        return value[: limit + 1]
    if isinstance(value, list):
        return [_cut_head(v, limit) for v in value[: limit + 1]] if limit > 0 else []
    if isinstance(value, dict):
        return {k: _cut_head(v, limit) for k, v in list(value.items())[: limit + 1]}
    return value
