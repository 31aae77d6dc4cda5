"""Payloads that a contract allows, the plainest first: what a rehearsal calls methods with."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, islice
from typing import Any

from graphbus_core.contracts import Contract, validator
from graphbus_core.contracts.gaps import resolve
from graphbus_core.contracts.inclusion.sampling import candidates

SAMPLES = 6  # payloads a call is tried with
TRIES = 400  # candidates looked at to find them


def samples(schema: Mapping[str, Any]) -> list[Any]:
    """A few payloads that this contract allows, the plainest first."""
    closed = Contract.from_json_schema(dict(schema)).closed
    check = validator(dict(schema)).check
    likely = (_typical(closed, closed, whole) for whole in (True, False))
    tried = chain(likely, islice(candidates(closed, closed), TRIES))
    allowed = (v for v in tried if isinstance(v, dict) and check(v) is None)
    found: list[Any] = []
    for value in allowed:
        if value not in found and set(value) <= set(schema.get("properties", {})):
            found.append(value)
        if len(found) == SAMPLES:
            break
    return found


def _typical(schema: Any, root: Any, whole: bool, depth: int = 0) -> Any:
    """A value as it might well occur, with every optional field or none: no zero, no empty text, no round number."""
    if not isinstance(schema, Mapping) or depth > 8:
        return None
    schema = resolve(schema, root)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return _typical(options[0] if whole else options[-1], root, whole, depth + 1)
    kinds = schema.get("type")
    match (kinds[0] if whole else kinds[-1]) if isinstance(kinds, list) else kinds:
        case "object":
            wanted = schema.get("properties", {}) if whole else schema.get("required", ())
            return {n: _typical(schema["properties"][n], root, whole, depth + 1) for n in wanted}
        case "array":
            return [_typical(schema["items"], root, whole, depth + 1)] if schema.get("items") else []
        case str() as kind:
            return {"integer": 7, "number": 2.37, "string": "text", "boolean": True}.get(kind)
    return "text"
