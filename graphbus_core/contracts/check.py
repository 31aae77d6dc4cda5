"""`check`: does every payload of the producer fit the consumer? And if not, show one that does not.

Contracts are read as the two ends of a link (`readings`), plain schemas as they stand. The fast road proves the
common "yes"; what it does not settle is decided (`decided`, loaded only then: most links are settled by a glance).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphbus_core.contracts.inclusion import emptiness, fast_path
from graphbus_core.contracts.parsing import contract, json_schema
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.contracts.parsing.json_schema import follow_pointer, is_same_json
from graphbus_core.contracts.verdict import FITS, STEPS, Verdict
from graphbus_core.errors import ContractError

Schema = Contract | Mapping[str, Any] | bool
_NO_FORMATS: frozenset[str] = frozenset()


def check(
    producer: Schema,
    consumer: Schema,
    *,
    dialect: str | int | None = None,
    formats: bool | None = None,
    steps: int = STEPS,
    registry: Any = None,
) -> Verdict:
    """Whether every value that `producer` accepts is accepted by `consumer`.

    A Contract is read as the end of a link: the producer's objects closed, the consumer's open (design §4). A mapping
    or a boolean is a plain JSON Schema; `$schema` says its dialect, else `dialect`, else 2020-12. `formats` True counts
    every format that can be checked, False none: payloads written as JSON, in which a UUID is text. None: on links a
    format that stands for a Python type is that type, in one process.
    `steps` bounds the work: the same schemas take the same steps on every machine. `registry` (of `referencing`) says
    what references to other documents mean; nothing is fetched. Raises ContractError for what is not a schema.
    """
    if registry is not None:
        from graphbus_core.contracts.parsing.registry_references import bring_in

        producer, consumer = bring_in(producer, registry), bring_in(consumer, registry)
    a, draft_a = _read_side(producer, dialect, closed=True)
    b, draft_b = _read_side(consumer, dialect, closed=False)
    marked = None
    if isinstance(producer, Contract) and isinstance(consumer, Contract):
        marked = contract.tag_both(a, b, live=formats is None)
        a, b = marked or (a, b)
    counted = json_schema.collect_formats(a) | json_schema.collect_formats(b) if formats else _NO_FORMATS
    if fast_path.prove_inclusion(a, b, fast_path.FastPathState(counted)):
        return _weigh_emptiness(producer, a)
    if _is_same_schema(producer, consumer):
        return _weigh_emptiness(producer, a)  # what cannot be decided too: every value of it is one of it
    from graphbus_core.contracts.full_check import decide_fully

    verdict = decide_fully(a, draft_a, b, draft_b, counted, steps, marked=marked is not None)
    return _weigh_emptiness(producer, a) if verdict.compatible else verdict


def _weigh_emptiness(producer: Schema, sent: Any) -> Verdict:
    """That it fits, with a note of what no value fulfils. On a link a producer that can send nothing fits nothing."""
    if emptiness.is_surely_satisfiable(sent):
        return FITS
    reasons = emptiness.find_unsatisfiable(sent)
    is_empty = any(not reason.path for reason in reasons)
    return Verdict(None if is_empty and isinstance(producer, Contract) else True, reasons) if reasons else FITS


def _is_same_schema(producer: Schema, consumer: Schema) -> bool:
    if isinstance(producer, Contract) or isinstance(consumer, Contract):
        return isinstance(producer, Contract) and producer == consumer
    try:
        return isinstance(producer, Mapping) and is_same_json(producer, consumer)
    except RecursionError:  # the decision says that it is too deep
        return False


def _read_side(schema: Any, default: str | int | None, *, closed: bool) -> tuple[Any, int]:
    if isinstance(schema, Contract):
        return (schema.closed if closed else schema.opened), json_schema.NEWEST
    if not isinstance(schema, Mapping | bool):
        raise ContractError(f"a JSON Schema is an object or true/false, not {type(schema).__name__}.")
    return schema, json_schema.detect_dialect(schema, default)


# The field's compatibility modes over a history of versions (as schema registries name them).
#
# BACKWARD: who reads with the new contract can read what was written with the old. FORWARD: who still reads with the
# old can read what is written with the new. FULL: both. The transitive forms ask it of every version, not of the last
# alone.


MODES = ("BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE", "NONE")
Version = Contract | Mapping[str, Any] | bool


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The answer for a mode: True, False, or None where a verdict was not decided and none says no.

    `verdicts` holds (version index, "BACKWARD" or "FORWARD", verdict) for every check that was made.
    """

    mode: str
    compatible: bool | None
    verdicts: tuple[tuple[int, str, Verdict], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        rows = [{"version": i, "direction": d, **v.to_dict()} for i, d, v in self.verdicts]
        return {"mode": self.mode, "compatible": self.compatible, "verdicts": rows}


def compatibility(
    old: Version | Sequence[Version], new: Version, mode: str = "BACKWARD", *, dialect: str | int | None = None
) -> Compatibility:
    """Whether `new` may follow `old`: one version, or the history with the oldest first. Raises ContractError."""
    wanted_mode = mode.upper().replace("-", "_")
    if wanted_mode not in MODES:
        raise ContractError(f"{mode!r} is not a compatibility mode; use one of {', '.join(MODES)}.")
    history: list[Version] = [old] if isinstance(old, Contract | Mapping | bool) else list(old)
    if wanted_mode == "NONE" or not history:
        return Compatibility(wanted_mode, True)
    first = 0 if wanted_mode.endswith("_TRANSITIVE") else len(history) - 1
    verdicts = []
    # Newest first: where one breaks it is most likely the last, and that is the one people ask about.
    for index in range(len(history) - 1, first - 1, -1):
        if not wanted_mode.startswith("FORWARD"):
            verdicts.append((index, "BACKWARD", check(history[index], new, dialect=dialect)))
        if not wanted_mode.startswith("BACKWARD"):
            verdicts.append((index, "FORWARD", check(new, history[index], dialect=dialect)))
    answers = [v.compatible for _, _, v in verdicts]
    # One no is a no, whatever was not decided beside it.
    return Compatibility(wanted_mode, False if False in answers else None if None in answers else True, tuple(verdicts))


# What differs between the objects that a producer promises and a consumer takes, field by field.
#
# `check` says whether they fit, and shows one payload; this lists every place where a repair could be made.


JsonSchema = Mapping[str, Any]


class GapKind(StrEnum):
    """How one field fails to fit."""

    MISSING = "missing"  # the consumer requires it, the producer never sends it
    OPTIONAL = "optional"  # the consumer requires it, the producer may leave it out
    TYPE = "type"  # both have it, and not every value of the one is a value of the other


@dataclass(frozen=True)
class Gap:
    """One field that does not fit. `path` is where it stands in the consumer's contract, as `headlines[].title`."""

    kind: GapKind
    path: str
    produced: JsonSchema | None  # the producer's schema of this field
    consumed: JsonSchema  # the consumer's schema of this field
    unclaimed: Mapping[str, JsonSchema]  # producer's fields beside it that the consumer does not know
    unmet: tuple[str, ...]  # consumer's fields beside it that the producer never sends


def find_gaps(producer: JsonSchema, consumer: JsonSchema) -> tuple[Gap, ...]:
    """Every field of `consumer` that `producer` does not serve, outermost first."""
    return tuple(_compare_objects(producer, producer, consumer, consumer, "", 0))


def is_field_compatible(produced: JsonSchema, p_root: JsonSchema, consumed: JsonSchema, c_root: JsonSchema) -> bool:
    """Whether every value of the one field's type is one of the other's."""
    return check(_wrap_field(produced, p_root), _wrap_field(consumed, c_root)).compatible is True


def follow_references(schema: JsonSchema, root: JsonSchema) -> JsonSchema:
    """Follow local references."""
    for _ in range(16):
        ref = schema.get("$ref")
        if not isinstance(ref, str) or not ref.startswith("#"):
            return schema
        target = follow_pointer(root, ref)
        schema = target if isinstance(target, dict) else {}
    return schema


def _compare_objects(
    producer: JsonSchema, p_root: JsonSchema, consumer: JsonSchema, c_root: JsonSchema, path: str, depth: int
) -> Iterator[Gap]:
    producer, consumer = follow_references(producer, p_root), follow_references(consumer, c_root)
    if depth > 8 or consumer.get("type") != "object" or producer.get("type") != "object":
        return
    sent_fields, taken_fields = producer.get("properties", {}), consumer.get("properties", {})
    unclaimed = {name: schema for name, schema in sent_fields.items() if name not in taken_fields}
    required = set(consumer.get("required", ()))
    unmet = tuple(name for name in taken_fields if name not in sent_fields and name in required)
    for name, consumed in taken_fields.items():
        field_path = f"{path}{name}"
        if name not in sent_fields:
            if name in required:
                yield Gap(GapKind.MISSING, field_path, None, consumed, unclaimed, unmet)
            continue
        if name in required and name not in producer.get("required", ()):
            yield Gap(GapKind.OPTIONAL, field_path, sent_fields[name], consumed, unclaimed, unmet)
        if is_field_compatible(sent_fields[name], p_root, consumed, c_root):
            continue
        inner = list(_compare_inner_schemas(sent_fields[name], p_root, consumed, c_root, field_path, depth + 1))
        yield from inner or [Gap(GapKind.TYPE, field_path, sent_fields[name], consumed, unclaimed, unmet)]


def _compare_inner_schemas(
    produced: JsonSchema, p_root: JsonSchema, consumed: JsonSchema, c_root: JsonSchema, path: str, depth: int
) -> Iterator[Gap]:
    p, c = follow_references(produced, p_root), follow_references(consumed, c_root)
    if p.get("type") == c.get("type") == "array" and p.get("items") and c.get("items"):
        yield from _compare_inner_schemas(p["items"], p_root, c["items"], c_root, f"{path}[]", depth + 1)
    elif p.get("type") == c.get("type") == "object":
        yield from _compare_objects(p, p_root, c, c_root, f"{path}.", depth)


def _wrap_field(schema: JsonSchema, root: JsonSchema) -> Contract:
    whole = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    if "$defs" in root:
        whole["$defs"] = root["$defs"]
    return Contract.from_json_schema(whole)
