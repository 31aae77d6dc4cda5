"""What a method or a topic promises about its data: `Schema` and `SchemaMethod` (seed 002 §2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.field_mapping import FieldMapping

PAYLOAD_PARAMETER = "payload"  # a key in a method's metadata
OPEN_PARTS = "open"  # another: what could not be read of the hint of a payload, so that anything fits it, and why
MAPPINGS = "mappings"  # another: producer (`Node.method`) -> the keys of its mapping; only where there is one


@dataclass(frozen=True)
class Schema:
    """One contract, held as JSON Schema 2020-12.

    `json_schema` describes one object whose properties are the fields. `source` is the contract as the author
    wrote it (an expression, or the name it refers to); None where it was not read from source.
    """

    json_schema: Mapping[str, Any]
    source: str | None = None
    description: str | None = None

    @property
    def fields(self) -> dict[str, Mapping[str, Any]]:
        """Field name -> its JSON Schema, in the order written."""
        return dict(self.json_schema.get("properties", {}))

    @property
    def required(self) -> frozenset[str]:
        """Names of the fields that must be there."""
        return frozenset(self.json_schema.get("required", ()))

    def to_dict(self) -> dict[str, Any]:
        """The form in `schemas.json`."""
        return {"json_schema": dict(self.json_schema), "source": self.source, "description": self.description}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Schema:
        """Inverse of `to_dict`."""
        return cls(data["json_schema"], data.get("source"), data.get("description"))


@dataclass(frozen=True)
class Parameter:
    """One parameter of a method's signature, read from source."""

    name: str
    kind: str  # positional_only | positional_or_keyword | var_positional | keyword_only | var_keyword
    annotation: str | None = None
    default: str | None = None  # its source text; None: it must be given


@dataclass(frozen=True)
class SchemaMethod:
    """A method with its contract. A side that is None was not declared and takes no part in the checks."""

    name: str
    input_schema: Schema | None = None
    output_schema: Schema | None = None
    description: str | None = None
    parameters: tuple[Parameter, ...] = ()
    depends_on: tuple[str, ...] = ()  # "Fetcher.fetch_headlines": whose output this method's input takes
    lineno: int = 0
    end_lineno: int = 0
    is_async: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def payload_parameter(self) -> str | None:
        """The parameter of a handler whose hint is the contract: it takes the payload whole. None: the contract is
        written out, or the method is not a handler, and its fields are what they are called."""
        return self.metadata.get(PAYLOAD_PARAMETER)

    def find_mapping(self, producer: str) -> FieldMapping | None:
        """The mapping that `@depends_on(producer, map=…)` declares; None where there is none."""
        return FieldMapping.from_dict(self.metadata.get(MAPPINGS, {}).get(producer, {}))

    @property
    def arguments_schema(self) -> Mapping[str, Any] | None:
        """What a direct call of it takes, by name, as JSON Schema; None where the input is not declared."""
        if self.input_schema is None or self.payload_parameter is None:
            return self.input_schema.json_schema if self.input_schema is not None else None
        inner = {k: v for k, v in self.input_schema.json_schema.items() if k != "$defs"}
        definitions = self.input_schema.json_schema.get("$defs")
        return {
            "type": "object",
            "properties": {self.payload_parameter: inner},
            "required": [self.payload_parameter],
            **({"$defs": definitions} if definitions else {}),
        }

    def to_dict(self) -> dict[str, Any]:
        """The form in `agents.json`."""
        return {
            **vars(self),
            "input_schema": self.input_schema.to_dict() if self.input_schema else None,
            "output_schema": self.output_schema.to_dict() if self.output_schema else None,
            "parameters": [vars(p) for p in self.parameters],
            "depends_on": list(self.depends_on),
            "metadata": dict(self.metadata),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SchemaMethod:
        """Inverse of `to_dict`."""

        def side(name: str) -> Schema | None:
            return Schema.from_dict(data[name]) if data.get(name) else None

        return cls(
            name=data["name"],
            input_schema=side("input_schema"),
            output_schema=side("output_schema"),
            description=data.get("description"),
            parameters=tuple(Parameter(**p) for p in data.get("parameters", ())),
            depends_on=tuple(data.get("depends_on", ())),
            lineno=data.get("lineno", 0),
            end_lineno=data.get("end_lineno", 0),
            is_async=data.get("is_async", False),
            metadata=data.get("metadata", {}),
        )
