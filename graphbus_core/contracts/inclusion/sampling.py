"""A bounded, seeded search for a payload that refutes an inclusion: values drawn from both schemas.

It proves nothing but what it finds: `search` gives a value that the producer accepts and the consumer rejects, or
NOTHING. The structural decision does not need it; it is the second opinion, and the last resort where that gives up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from graphbus_core.contracts.reading.walk import NOWHERE, follow, is_number
from graphbus_core.contracts.values.formats import SAMPLES
from graphbus_core.contracts.values.verdict import NOTHING

_PLAIN: tuple[Any, ...] = (None, True, False, 0, 1, -1, 0.5, "", "a", [], {}, [0], [None, None], {"a": 1})
_DEPTH = 6
_NODES = 400  # parts of one value
_KINDS = {
    "null": type(None),
    "boolean": bool,
    "string": str,
    "array": list,
    "object": dict,
}


def search(
    producer: Any,
    consumer: Any,
    refutes: Callable[[Any], bool],
    *,
    tries: int = 300,
    seed: int = 0,
) -> Any:
    """The first value tried for which `refutes` holds, or NOTHING after `tries`."""
    for value in islice(candidates(producer, consumer, seed), tries):
        if refutes(value):
            return value
    return NOTHING


def candidates(producer: Any, consumer: Any, seed: int = 0) -> Iterator[Any]:
    """Values worth trying, the likeliest first; no end, no equal seeds with unequal values."""
    pool = [*_constants(producer), *_constants(consumer), *_PLAIN, *SAMPLES]
    source = _Source(producer, consumer, pool, random.Random(seed))
    yield from pool
    for mode in ("small", "full"):
        yield source.whole(producer, mode)
        yield source.whole(consumer, mode)
    while True:
        yield source.whole(producer if source.random.random() < 0.8 else consumer, "any")


class _Source:
    def __init__(self, producer: Any, consumer: Any, pool: list[Any], rng: random.Random) -> None:
        self._documents = (producer, consumer)
        self._pool = pool
        self.random = rng
        self._nodes = 0

    def whole(self, schema: Any, mode: str) -> Any:
        """A value of so many parts at most, to try."""
        self._nodes = 0
        return self.value(schema, 0, mode)

    def value(self, schema: Any, depth: int, mode: str) -> Any:
        rng = self.random
        self._nodes += 1
        if not isinstance(schema, dict) or depth > _DEPTH or self._nodes > _NODES:
            return rng.choice(self._pool) if mode == "any" else 0
        schema = self._flat(schema)
        if mode == "any" and rng.random() < 0.05:
            return rng.choice(self._pool)
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return rng.choice(schema["enum"]) if mode == "any" else schema["enum"][0]
        kind = self._kind(schema, mode)
        if kind in ("integer", "number"):
            return self._number(schema, kind, mode)
        if kind == "string":
            return self._string(schema, mode)
        if kind == "array":
            return self._array(schema, depth, mode)
        if kind == "object":
            return self._object(schema, depth, mode)
        return {"null": None, "boolean": mode == "any" and rng.random() < 0.5}.get(kind, 0)

    def _flat(self, schema: dict[str, Any]) -> dict[str, Any]:
        """One way through the combinators: branches picked, parts merged."""
        made = dict(schema)
        for _ in range(4):
            parts: list[Any] = list(_held(made, "allOf", list))
            for key in ("anyOf", "oneOf"):
                options = _held(made, key, list)
                if options:
                    parts.append(self.random.choice(options))
            ref = made.get("$ref")
            made = {k: v for k, v in made.items() if k not in ("allOf", "anyOf", "oneOf", "$ref")}
            if isinstance(ref, str):
                parts += [t for t in (follow(d, ref) for d in self._documents) if t is not NOWHERE][:1]
            for part in parts:
                if isinstance(part, dict):
                    fields = {**_held(made, "properties", dict), **_held(part, "properties", dict)}
                    required = [*_held(made, "required", list), *_held(part, "required", list)]
                    made = {**made, **part}
                    made |= {"properties": fields} if fields else {}
                    made |= {"required": required} if required else {}
        return made

    def _kind(self, schema: dict[str, Any], mode: str) -> str:
        kinds = schema.get("type")
        if isinstance(kinds, str):
            return kinds
        if isinstance(kinds, list) and kinds:
            return str(self.random.choice(kinds) if mode == "any" else kinds[0])
        for kind, keys in _HINTS.items():
            if any(k in schema for k in keys):
                return kind
        return self.random.choice(["null", "boolean", "number", "string", "array", "object"])

    def _number(self, schema: dict[str, Any], kind: str, mode: str) -> Any:
        # A bound of four hundred digits, or an infinity that Python read, has no value near it that a float could hold.
        given = [schema[k] for k in _HINTS["number"] if is_number(schema.get(k)) and abs(schema[k]) < _LARGE]
        near = [g + d for g in given for d in (0, 1, -1, 0.5, -0.5)] or [0, 1, 0.5, -1, 2, 10, -1.5]
        step = schema.get("multipleOf")
        if step in given and step:
            near += [step * n for n in (0, 1, 2, -1, 3)]
        value = self.random.choice(near) if mode == "any" else near[0]
        return int(value) if kind == "integer" or value == int(value) else value

    def _string(self, schema: dict[str, Any], mode: str) -> str:
        low, high = schema.get("minLength", 0), schema.get("maxLength")
        if not isinstance(low, int):
            low = 0
        length = low if mode != "any" else low + self.random.randrange(0, 4)
        if isinstance(high, int):
            length = min(length, high)
        texts = [v for v in self._pool if isinstance(v, str)]
        if mode == "any" and self.random.random() < 0.4:
            return self.random.choice(texts)
        return "".join(self.random.choice("ab0 Z-") for _ in range(min(length, 1000)))

    def _array(self, schema: dict[str, Any], depth: int, mode: str) -> list[Any]:
        low, high = _count(schema, "minItems", 0), _count(schema, "maxItems", 200)
        length = {"small": low, "full": max(low, 1)}.get(mode, low + self.random.randrange(0, 3))
        length = min(length, high, 200)
        prefix = schema.get("prefixItems") or (schema["items"] if isinstance(schema.get("items"), list) else [])
        rest = schema.get("items", True) if not isinstance(schema.get("items"), list) else True
        if isinstance(schema.get("contains"), dict) and self.random.random() < 0.5:
            rest = schema["contains"]
        return [self.value(prefix[i] if i < len(prefix) else rest, depth + 1, mode) for i in range(length)]

    def _object(self, schema: dict[str, Any], depth: int, mode: str) -> dict[str, Any]:
        fields = _held(schema, "properties", dict)
        required = [n for n in _held(schema, "required", list) if isinstance(n, str)]
        made: dict[str, Any] = {}
        for name in dict.fromkeys([*required, *fields]):
            if name in required or mode == "full" or (mode == "any" and self.random.random() < 0.5):
                made[name] = self.value(fields.get(name, True), depth + 1, mode)
        more = schema.get("additionalProperties", True)
        wanted = _count(schema, "minProperties", 0)
        extra = 1 if mode == "any" and more is not False and self.random.random() < 0.3 else 0
        for i in range(min(max(wanted - len(made), extra), 50)):
            made[f"x{i}" if i else "x"] = self.value(more, depth + 1, mode)
        return made


_LARGE = 1e300
_HINTS = {
    "object": ("properties", "required", "additionalProperties", "minProperties", "maxProperties", "propertyNames"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def _held(schema: dict[str, Any], key: str, form: type) -> Any:
    """What a keyword holds; nothing where it holds what it must not: nobody has looked at these schemas before."""
    return schema[key] if isinstance(schema.get(key), form) else form()


def _count(schema: dict[str, Any], key: str, default: int) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _constants(schema: Any, depth: int = 0) -> list[Any]:
    """Constants of a schema, wherever they stand."""
    if depth > 12 or not isinstance(schema, dict | list):
        return []
    if isinstance(schema, list):
        return [c for s in schema[:100] for c in _constants(s, depth + 1)][:200]
    found: list[Any] = [schema["const"]] if "const" in schema else []
    if isinstance(schema.get("enum"), list):
        found += schema["enum"][:20]
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if is_number(schema.get(key)):
            found += [schema[key], schema[key] + 1, schema[key] - 1]
    for key, value in list(schema.items())[:200]:
        if key not in ("const", "enum", "default", "examples"):
            found += _constants(value, depth + 1)
    return found[:200]
