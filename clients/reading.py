"""The OpenAPI document as the writers need it: types, models and operations. It knows no language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@dataclass(frozen=True)
class Type:
    """A type. `kind`: string, integer, number, boolean, json (a user's own), object (a user's own, with names), list, map, ref,
    words (one of some texts) or union. `nullable`: it may be null."""

    kind: str
    of: tuple[Type, ...] = ()
    name: str = ""
    words: tuple[str, ...] = ()
    nullable: bool = False


@dataclass(frozen=True)
class Field:
    """A property of a model, or a parameter of a call."""

    name: str
    type: Type
    required: bool
    says: str = ""


@dataclass(frozen=True)
class Model:
    """A body."""

    name: str
    says: str
    fields: tuple[Field, ...]


@dataclass(frozen=True)
class Operation:
    """A call. `path` has its parameters in braces."""

    id: str
    method: str
    path: str
    says: str
    in_path: tuple[Field, ...]
    in_query: tuple[Field, ...]
    body: Type | None
    body_required: bool
    result: Type


@dataclass(frozen=True)
class Api:
    """The whole document."""

    title: str
    version: str
    base: str
    models: tuple[Model, ...] = field(default=())
    operations: tuple[Operation, ...] = field(default=())


def read(document: Mapping[str, Any]) -> Api:
    """Everything that a client needs. Raises ValueError for what no writer knows."""
    schemas = document["components"]["schemas"]
    models = tuple(_model(name, schema) for name, schema in sorted(schemas.items()) if not name.startswith("HTTP"))
    base = document["servers"][0]["url"]
    return Api(document["info"]["title"], document["info"]["version"], base, models, tuple(_operations(document)))


def named(name: str) -> str:
    """A schema's name as a type's name."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name) if part)


def _model(name: str, schema: Mapping[str, Any]) -> Model:
    if schema.get("type") != "object":
        raise ValueError(f"{name} is not an object: {schema}")
    required = set(schema.get("required", ()))
    fields = tuple(
        Field(key, type_of(one), key in required, _line(one.get("description")))
        for key, one in schema.get("properties", {}).items()
    )
    return Model(named(name), _line(schema.get("description")), fields)


def type_of(schema: Mapping[str, Any]) -> Type:
    """The type that a schema describes. What it says of lengths and bounds is the server's to check."""
    if "$ref" in schema:
        return Type("ref", name=named(schema["$ref"].rpartition("/")[2]))
    if "anyOf" in schema:
        parts = [one for one in schema["anyOf"] if one.get("type") != "null"]
        nullable = len(parts) < len(schema["anyOf"])
        if len(parts) == 1:
            inner = type_of(parts[0])
            return Type(inner.kind, inner.of, inner.name, inner.words, nullable)
        return Type("union", tuple(type_of(one) for one in parts), nullable=nullable)
    if "enum" in schema or "const" in schema:
        return Type("words", words=tuple(str(one) for one in schema.get("enum", [schema.get("const")])))
    match schema.get("type"):
        case "string" | "integer" | "number" | "boolean" as kind:
            return Type(kind)
        case "array":
            return Type("list", (type_of(schema.get("items", {})),))
        case "object":
            values = schema.get("additionalProperties", True)
            return Type("map", (type_of(values),)) if isinstance(values, Mapping) and values else Type("object")
        case None:
            return Type("json")
    raise ValueError(f"no writer knows {schema}")


def _operations(document: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in document["paths"].items():
        for method, one in methods.items():
            parameters = one.get("parameters", ())
            body = one.get("requestBody")
            good = next(answer for status, answer in one["responses"].items() if status.startswith("2"))
            yield Operation(
                one["operationId"],
                method.upper(),
                path,
                _line(one.get("description")),
                tuple(_parameter(p) for p in parameters if p["in"] == "path"),
                tuple(_parameter(p) for p in parameters if p["in"] == "query"),
                type_of(body["content"]["application/json"]["schema"]) if body else None,
                bool(body and body.get("required")),
                type_of(good["content"]["application/json"]["schema"]),
            )


def _parameter(one: Mapping[str, Any]) -> Field:
    return Field(one["name"], type_of(one["schema"]), bool(one.get("required")), _line(one.get("description")))


def _line(text: str | None) -> str:
    return " ".join((text or "").split())
