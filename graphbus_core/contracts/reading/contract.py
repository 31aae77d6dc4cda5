"""A contract: what a value of one side of a method or a topic may be. Held as JSON Schema 2020-12.

The schema *is* the type representation: every type that can stand in a contract has one form there (`forms`), and
older dialects are rewritten on reading. Immutable by convention: nobody changes the schema of a contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from graphbus_core.contracts.reading import dialects, ends as readings
from graphbus_core.contracts.reading.walk import same
from graphbus_core.errors import ContractError

MAX_NESTING = 200  # of the text of a contract; a reading of one, a comparison, a check go that deep


class Contract:
    """A contract, compared by its schema. Make one with `from_annotations`, `from_json_schema` or `static.read`."""

    def __init__(self, schema: Mapping[str, Any] | bool) -> None:
        self._schema: dict[str, Any] = ({} if schema else {"not": {}}) if isinstance(schema, bool) else dict(schema)

    @classmethod
    def from_json_schema(cls, schema: Mapping[str, Any] | bool, *, dialect: str | int | None = None) -> Contract:
        """Read a JSON Schema; `$schema` says its dialect, else `dialect`, else 2020-12. Raises ContractError."""
        if not isinstance(schema, Mapping | bool):
            raise ContractError(f"a JSON Schema is an object or true/false, not {type(schema).__name__}.")
        if isinstance(schema, bool):
            return cls(schema)
        if dialects.deeper_than(schema, MAX_NESTING):
            raise ContractError(f"the schema is nested more than {MAX_NESTING} deep; move inner parts to $defs.")
        return cls(dialects.modern(schema, dialects.dialect_of(schema, dialect)))

    @classmethod
    def from_annotations(cls, annotations: Any, *, side: str | None = None) -> Contract:
        """Read a live mapping of names to types, or a type. Raises ContractError where it is not data.

        `side="output"` reads it as its producer sends it: a field with a default is there, a pydantic model is
        serialized (computed fields in, excluded ones out, written aliases). Else as a consumer takes it.
        """
        from graphbus_core.contracts.reading.live import schema_of

        return cls(schema_of(annotations, sent=side == "output"))

    def to_json_schema(self) -> dict[str, Any]:
        """The contract as JSON Schema 2020-12. Do not change it."""
        return self._schema

    @property
    def fields(self) -> dict[str, Any]:
        """Field name -> its schema, in the order written."""
        return dict(self._schema.get("properties", {}))

    @property
    def required(self) -> frozenset[str]:
        """Names of the fields that must be there."""
        return frozenset(self._schema.get("required", ()))

    @cached_property
    def closed(self) -> Any:
        """What a producer with this contract may send, as plain JSON Schema."""
        return readings.closed(self._schema)

    @cached_property
    def opened(self) -> Any:
        """What a consumer with this contract takes, as plain JSON Schema."""
        return readings.opened(self._schema)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Contract) and same(self._schema, other._schema)

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._schema)))

    def __repr__(self) -> str:
        from graphbus_core.contracts.reading.wording import annotation

        return f"Contract({annotation(self._schema)})"
