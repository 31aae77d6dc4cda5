"""What differs between the objects that a producer promises and a consumer takes, field by field.

`check` says whether they fit, and shows one payload; this lists every place where a repair could be made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphbus_core.contracts.check import check
from graphbus_core.contracts.reading.contract import Contract
from graphbus_core.contracts.reading.walk import follow

JsonSchema = Mapping[str, Any]


class Kind(StrEnum):
    """How one field fails to fit."""

    MISSING = "missing"  # the consumer requires it, the producer never sends it
    OPTIONAL = "optional"  # the consumer requires it, the producer may leave it out
    TYPE = "type"  # both have it, and not every value of the one is a value of the other


@dataclass(frozen=True)
class Gap:
    """One field that does not fit. `path` is where it stands in the consumer's contract, as `headlines[].title`."""

    kind: Kind
    path: str
    produced: JsonSchema | None  # the producer's schema of this field
    consumed: JsonSchema  # the consumer's schema of this field
    unclaimed: Mapping[str, JsonSchema]  # producer's fields beside it that the consumer does not know
    unmet: tuple[str, ...]  # consumer's fields beside it that the producer never sends


def gaps(producer: JsonSchema, consumer: JsonSchema) -> tuple[Gap, ...]:
    """Every field of `consumer` that `producer` does not serve, outermost first."""
    return tuple(_gaps(producer, producer, consumer, consumer, "", 0))


def fits(produced: JsonSchema, p_root: JsonSchema, consumed: JsonSchema, c_root: JsonSchema) -> bool:
    """Whether every value of the one field's type is one of the other's."""
    return check(_alone(produced, p_root), _alone(consumed, c_root)).compatible is True


def resolve(schema: JsonSchema, root: JsonSchema) -> JsonSchema:
    """Follow local references."""
    for _ in range(16):
        ref = schema.get("$ref")
        if not isinstance(ref, str) or not ref.startswith("#"):
            return schema
        target = follow(root, ref)
        schema = target if isinstance(target, dict) else {}
    return schema


def _gaps(
    producer: JsonSchema, p_root: JsonSchema, consumer: JsonSchema, c_root: JsonSchema, path: str, depth: int
) -> Iterator[Gap]:
    producer, consumer = resolve(producer, p_root), resolve(consumer, c_root)
    if depth > 8 or consumer.get("type") != "object" or producer.get("type") != "object":
        return
    sent, taken = producer.get("properties", {}), consumer.get("properties", {})
    unclaimed = {name: schema for name, schema in sent.items() if name not in taken}
    required = set(consumer.get("required", ()))
    unmet = tuple(name for name in taken if name not in sent and name in required)
    for name, consumed in taken.items():
        here = f"{path}{name}"
        if name not in sent:
            if name in required:
                yield Gap(Kind.MISSING, here, None, consumed, unclaimed, unmet)
            continue
        if name in required and name not in producer.get("required", ()):
            yield Gap(Kind.OPTIONAL, here, sent[name], consumed, unclaimed, unmet)
        if fits(sent[name], p_root, consumed, c_root):
            continue
        inner = list(_inside(sent[name], p_root, consumed, c_root, here, depth + 1))
        yield from inner or [Gap(Kind.TYPE, here, sent[name], consumed, unclaimed, unmet)]


def _inside(
    produced: JsonSchema, p_root: JsonSchema, consumed: JsonSchema, c_root: JsonSchema, path: str, depth: int
) -> Iterator[Gap]:
    p, c = resolve(produced, p_root), resolve(consumed, c_root)
    if p.get("type") == c.get("type") == "array" and p.get("items") and c.get("items"):
        yield from _inside(p["items"], p_root, c["items"], c_root, f"{path}[]", depth + 1)
    elif p.get("type") == c.get("type") == "object":
        yield from _gaps(p, p_root, c, c_root, f"{path}.", depth)


def _alone(schema: JsonSchema, root: JsonSchema) -> Contract:
    whole = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    if "$defs" in root:
        whole["$defs"] = root["$defs"]
    return Contract.from_json_schema(whole)
