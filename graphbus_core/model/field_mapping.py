"""A mapping where data is delivered: which field of the consumer is which of the producer, and what converts it.

The third way to close a mismatch, beside changing either end. It is declared at a subscription
(`@subscribe("/Plates", map={"plate_no": "plateNo"}, convert={"cents": to_cents})`); links are checked through it, and
a run delivers through it. It knows no bus and no check: only how a payload, and the schema of one, come out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

JsonSchema = Mapping[str, Any]
_UNIONS = ("anyOf", "oneOf")
MAX_DEPTH = 40  # of references and unions that a schema is followed through


@dataclass(frozen=True)
class Conversion:
    """What makes the value of one field: a function of a module (`shop.money:to_cents`), with what its hints say."""

    function: str
    takes: JsonSchema
    gives: JsonSchema


@dataclass(frozen=True)
class FieldMapping:
    """`fields` is {consumer field: producer field}, `conversions` {consumer field: what converts its value}.

    A field that neither names arrives as it was sent. A producer's field that is mapped has only its new name.
    """

    fields: Mapping[str, str]
    conversions: Mapping[str, Conversion]

    def __bool__(self) -> bool:
        return bool(self.fields or self.conversions)

    def find_source(self, field: str) -> str:
        """The producer's field behind one of the consumer's."""
        return self.fields.get(field, field)

    def map_schema(self, schema: JsonSchema) -> JsonSchema:
        """What is delivered of what is sent, as JSON Schema."""
        definitions = dict(schema.get("$defs", {}))
        mapped = self._map_part({k: v for k, v in schema.items() if k != "$defs"}, definitions, 0)
        return {**mapped, "$defs": definitions} if definitions else mapped

    def _map_part(self, schema: JsonSchema, definitions: dict[str, Any], depth: int) -> dict[str, Any]:
        reference = str(schema.get("$ref", ""))
        if reference.startswith("#/$defs/") and depth < MAX_DEPTH:
            return self._map_part(definitions.get(reference[len("#/$defs/") :], {}), definitions, depth + 1)
        for word in _UNIONS:
            if word in schema and depth < MAX_DEPTH:
                return {**schema, word: [self._map_part(part, definitions, depth + 1) for part in schema[word]]}
        properties, required = schema.get("properties"), list(schema.get("required", ()))
        if not isinstance(properties, Mapping):
            return dict(schema)
        renamed = rename_fields(properties, self.fields)
        for name, conversion in self.conversions.items():
            if name in renamed:
                renamed[name] = _merge_conversion(conversion, definitions)
        present = [name for name in renamed if self.find_source(name) in required]
        return {**schema, "properties": renamed, "required": present}

    def list_sent(self, schema: JsonSchema) -> dict[str, list[JsonSchema]] | None:
        """What an object may hold: field -> its schemas; None where the schema names no fields."""
        fields: dict[str, list[JsonSchema]] = {}
        waiting, steps, definitions = [schema], 0, schema.get("$defs", {})
        while waiting and steps < MAX_DEPTH:
            part, steps = waiting.pop(), steps + 1
            reference = str(part.get("$ref", ""))
            if reference.startswith("#/$defs/"):
                waiting.append(definitions.get(reference[len("#/$defs/") :], {}))
            for word in _UNIONS:
                waiting += part.get(word, ())
            for name, field_schema in part.get("properties", {}).items():
                fields.setdefault(name, []).append({**field_schema, **({"$defs": definitions} if definitions else {})})
        return fields or None

    def can_restore(self, payload: Any) -> bool:
        """Whether what was sent can be told from what is delivered: no conversion stands between."""
        return isinstance(payload, Mapping) and not self.conversions.keys() & payload.keys()

    def restore(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """A payload as it was sent, given how it is delivered."""
        return {self.find_source(name): value for name, value in payload.items()}

    def to_dict(self) -> dict[str, Any]:
        """The keys that a subscription or a link with it has beside its own; what is empty is left out."""
        converted = {name: vars(conversion) for name, conversion in self.conversions.items()}
        return {**({"map": dict(self.fields)} if self.fields else {}), **({"convert": converted} if converted else {})}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FieldMapping | None:
        """Read those keys of a subscription or a link; None where there are none."""
        converted = {name: Conversion(**conversion) for name, conversion in data.get("convert", {}).items()}
        return cls(dict(data.get("map", {})), converted) or None


def rename_fields(payload: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """A payload, or the properties of one, with the consumer's names: `fields` is {consumer field: producer field}."""
    sent = set(fields.values())
    unmapped = {name: value for name, value in payload.items() if name not in sent}
    return unmapped | {name: payload[source] for name, source in fields.items() if source in payload}


def _merge_conversion(conversion: Conversion, definitions: dict[str, Any]) -> dict[str, Any]:
    """What a conversion gives, as part of a schema; its own definitions go into `definitions`, under other names."""
    moved = dict(conversion.gives)
    for name, definition in moved.pop("$defs", {}).items():
        definitions[f"{conversion.function}.{name}"] = _move_references(definition, conversion.function)
    embedded: dict[str, Any] = _move_references(moved, conversion.function)
    return embedded


def _move_references(value: Any, prefix: str) -> Any:
    if isinstance(value, Mapping):
        return {
            key: f"#/$defs/{prefix}.{inner[8:]}"
            if key == "$ref" and isinstance(inner, str) and inner.startswith("#/$defs/")
            else _move_references(inner, prefix)
            for key, inner in value.items()
        }
    return [_move_references(inner, prefix) for inner in value] if isinstance(value, list) else value
