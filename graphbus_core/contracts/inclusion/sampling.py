"""A bounded, seeded search for a payload that refutes an inclusion: values drawn from both schemas.

It proves nothing but what it finds: `search` gives a value that the producer accepts and the consumer rejects, or
NOTHING. The structural decision does not need it; it is the second opinion, and the last resort where that gives up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from graphbus_core.contracts.parsing.json_schema import NOWHERE, follow_pointer, is_number
from graphbus_core.contracts.validation.formats import SAMPLES
from graphbus_core.contracts.verdict import NOTHING

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
    for value in islice(generate_candidates(producer, consumer, seed), tries):
        if refutes(value):
            return value
    return NOTHING


def generate_candidates(producer: Any, consumer: Any, seed: int = 0) -> Iterator[Any]:
    """Values worth trying, the likeliest first; no end, no equal seeds with unequal values."""
    pool = [*_collect_constants(producer), *_collect_constants(consumer), *_PLAIN, *SAMPLES]
    source = _ValueSource(producer, consumer, pool, random.Random(seed))
    yield from pool
    for mode in ("small", "full"):
        yield source.generate(producer, mode)
        yield source.generate(consumer, mode)
    while True:
        yield source.generate(producer if source.random.random() < 0.8 else consumer, "any")


class _ValueSource:
    def __init__(self, producer: Any, consumer: Any, pool: list[Any], rng: random.Random) -> None:
        self._documents = (producer, consumer)
        self._pool = pool
        self.random = rng
        self._nodes = 0

    def generate(self, schema: Any, mode: str) -> Any:
        """A value of so many parts at most, to try."""
        self._nodes = 0
        return self.generate_value(schema, 0, mode)

    def generate_value(self, schema: Any, depth: int, mode: str) -> Any:
        rng = self.random
        self._nodes += 1
        if not isinstance(schema, dict) or depth > _DEPTH or self._nodes > _NODES:
            return rng.choice(self._pool) if mode == "any" else 0
        schema = self._flatten(schema)
        if mode == "any" and rng.random() < 0.05:
            return rng.choice(self._pool)
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            return rng.choice(schema["enum"]) if mode == "any" else schema["enum"][0]
        kind = self._choose_kind(schema, mode)
        if kind in ("integer", "number"):
            return self._generate_number(schema, kind, mode)
        if kind == "string":
            return self._generate_string(schema, mode)
        if kind == "array":
            return self._generate_array(schema, depth, mode)
        if kind == "object":
            return self._generate_object(schema, depth, mode)
        return {"null": None, "boolean": mode == "any" and rng.random() < 0.5}.get(kind, 0)

    def _flatten(self, schema: dict[str, Any]) -> dict[str, Any]:
        """One way through the combinators: branches picked, parts merged."""
        flat = dict(schema)
        for _ in range(4):
            parts: list[Any] = list(_read_keyword(flat, "allOf", list))
            for key in ("anyOf", "oneOf"):
                options = _read_keyword(flat, key, list)
                if options:
                    parts.append(self.random.choice(options))
            ref = flat.get("$ref")
            flat = {k: v for k, v in flat.items() if k not in ("allOf", "anyOf", "oneOf", "$ref")}
            if isinstance(ref, str):
                parts += [t for t in (follow_pointer(d, ref) for d in self._documents) if t is not NOWHERE][:1]
            for part in parts:
                if isinstance(part, dict):
                    fields = {**_read_keyword(flat, "properties", dict), **_read_keyword(part, "properties", dict)}
                    required = [*_read_keyword(flat, "required", list), *_read_keyword(part, "required", list)]
                    flat = {**flat, **part}
                    flat |= {"properties": fields} if fields else {}
                    flat |= {"required": required} if required else {}
        return flat

    def _choose_kind(self, schema: dict[str, Any], mode: str) -> str:
        kinds = schema.get("type")
        if isinstance(kinds, str):
            return kinds
        if isinstance(kinds, list) and kinds:
            return str(self.random.choice(kinds) if mode == "any" else kinds[0])
        for kind, keys in _HINTS.items():
            if any(k in schema for k in keys):
                return kind
        return self.random.choice(["null", "boolean", "number", "string", "array", "object"])

    def _generate_number(self, schema: dict[str, Any], kind: str, mode: str) -> Any:
        # A bound of four hundred digits, or an infinity that Python read, has no value near it that a float could hold.
        bounds = [schema[k] for k in _HINTS["number"] if is_number(schema.get(k)) and abs(schema[k]) < _LARGE]
        near = [g + d for g in bounds for d in (0, 1, -1, 0.5, -0.5)] or [0, 1, 0.5, -1, 2, 10, -1.5]
        step = schema.get("multipleOf")
        if step in bounds and step:
            near += [step * n for n in (0, 1, 2, -1, 3)]
        value = self.random.choice(near) if mode == "any" else near[0]
        return int(value) if kind == "integer" or value == int(value) else value

    def _generate_string(self, schema: dict[str, Any], mode: str) -> str:
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

    def _generate_array(self, schema: dict[str, Any], depth: int, mode: str) -> list[Any]:
        low, high = _read_count(schema, "minItems", 0), _read_count(schema, "maxItems", 200)
        length = {"small": low, "full": max(low, 1)}.get(mode, low + self.random.randrange(0, 3))
        length = min(length, high, 200)
        prefix = schema.get("prefixItems") or (schema["items"] if isinstance(schema.get("items"), list) else [])
        rest = schema.get("items", True) if not isinstance(schema.get("items"), list) else True
        if isinstance(schema.get("contains"), dict) and self.random.random() < 0.5:
            rest = schema["contains"]
        return [self.generate_value(prefix[i] if i < len(prefix) else rest, depth + 1, mode) for i in range(length)]

    def _generate_object(self, schema: dict[str, Any], depth: int, mode: str) -> dict[str, Any]:
        fields = _read_keyword(schema, "properties", dict)
        required = [n for n in _read_keyword(schema, "required", list) if isinstance(n, str)]
        members: dict[str, Any] = {}
        for name in dict.fromkeys([*required, *fields]):
            if name in required or mode == "full" or (mode == "any" and self.random.random() < 0.5):
                members[name] = self.generate_value(fields.get(name, True), depth + 1, mode)
        more = schema.get("additionalProperties", True)
        least_count = _read_count(schema, "minProperties", 0)
        extra = 1 if mode == "any" and more is not False and self.random.random() < 0.3 else 0
        for i in range(min(max(least_count - len(members), extra), 50)):
            members[f"x{i}" if i else "x"] = self.generate_value(more, depth + 1, mode)
        return members


_LARGE = 1e300
_HINTS = {
    "object": ("properties", "required", "additionalProperties", "minProperties", "maxProperties", "propertyNames"),
    "array": ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}


def _read_keyword(schema: dict[str, Any], key: str, form: type) -> Any:
    """What a keyword holds; nothing where it holds what it must not: nobody has looked at these schemas before."""
    return schema[key] if isinstance(schema.get(key), form) else form()


def _read_count(schema: dict[str, Any], key: str, default: int) -> int:
    value = schema.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _collect_constants(schema: Any, depth: int = 0) -> list[Any]:
    """Constants of a schema, wherever they stand."""
    if depth > 12 or not isinstance(schema, dict | list):
        return []
    if isinstance(schema, list):
        return [c for s in schema[:100] for c in _collect_constants(s, depth + 1)][:200]
    constants: list[Any] = [schema["const"]] if "const" in schema else []
    if isinstance(schema.get("enum"), list):
        constants += schema["enum"][:20]
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if is_number(schema.get(key)):
            constants += [schema[key], schema[key] + 1, schema[key] - 1]
    for key, value in list(schema.items())[:200]:
        if key not in ("const", "enum", "default", "examples"):
            constants += _collect_constants(value, depth + 1)
    return constants[:200]
