"""A schema in the words of a Python annotation, for messages and for the `type` texts of field operations."""

from __future__ import annotations

import json
from typing import Any

from graphbus_core.contracts.reading.forms import LENGTH_WORDS, NUMBER_WORDS, OPAQUE
from graphbus_core.shown import shortened

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
        return _literal(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            # Each wording once: branches that differ in what no annotation says read alike.
            return " | ".join(dict.fromkeys(annotation(s, depth + 1) for s in schema[key]))
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return " | ".join(annotation({**schema, "type": k}, depth + 1) for k in kinds)
    if kinds == "object" or (kinds is None and "properties" in schema):
        return _object(schema, depth)
    return _array(schema, depth) if kinds == "array" else _scalar(schema)


def _literal(schema: dict[str, Any]) -> str:
    values = [schema["const"]] if "const" in schema else schema["enum"]
    # Only what `Literal` may hold. A list inside would read back as something else.
    plain = all(v is None or isinstance(v, str | int | bool) for v in values)
    return f"Literal[{', '.join(map(repr, values))}]" if plain else "Any"


def _scalar(schema: dict[str, Any]) -> str:
    """A word with its bounds. A bound that is only the mark of a type (`tagged`) is nothing that its author wrote."""
    word = FORMATS.get(schema.get("format", ""), "") or WORDS.get(str(schema.get("type")), "Any")
    # Marks of tagged types are made of a private letter, and are nobody's words.
    limits = [f"{_LIMITS[k]}={v!r}" for k, v in schema.items() if k in _LIMITS and "\ue000" not in str(v)]
    return f"Annotated[{word}, Field({', '.join(limits)})]" if limits else word


def _object(schema: dict[str, Any], depth: int) -> str:
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


def _array(schema: dict[str, Any], depth: int) -> str:
    if "prefixItems" in schema:
        # Where the rest of a tuple is open the annotation is wider than the schema. The docstring's "nearest wider"
        # is this.
        return f"tuple[{', '.join(annotation(s, depth + 1) for s in schema['prefixItems'])}]"
    word = "set" if schema.get("uniqueItems") is True else "list"
    of = schema.get("items")
    return f"{word}[{annotation(of, depth + 1)}]" if isinstance(of, dict) and of else word


def short(value: Any, limit: int = 60) -> str:
    """A value as JSON, cut where it is long. Never more is written out than is shown."""
    try:
        # Cut before it is written: a payload may be megabytes, and sixty letters of it are shown.
        text = json.dumps(_head(value, limit), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return shortened(text, limit)


def _head(value: Any, limit: int) -> Any:
    """The part of a value that can be seen in so many letters, and a little more."""
    if isinstance(value, str):
        return value[: limit + 1]
    if isinstance(value, list):
        return [_head(v, limit) for v in value[: limit + 1]] if limit > 0 else []
    if isinstance(value, dict):
        return {k: _head(v, limit) for k, v in list(value.items())[: limit + 1]}
    return value
