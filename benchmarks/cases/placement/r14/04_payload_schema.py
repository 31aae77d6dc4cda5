# pure
"""Validates by walking a constant schema; problems are yielded, not stored."""
from collections.abc import Iterator
from typing import Any

from graphbus_core import GraphBusNode, subscribe

_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "array": list,
    "object": dict,
}
_ORDER = {
    "type": "object",
    "required": ["id", "lines"],
    "properties": {
        "id": {"type": "string", "minLength": 3},
        "lines": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["sku"],
                "properties": {"sku": {"type": "string"}, "qty": {"type": "integer", "minimum": 1}},
            },
        },
    },
}


def problems(value: Any, schema: dict[str, Any], path: str = "$") -> Iterator[str]:
    kind = schema["type"]
    if isinstance(value, bool) or not isinstance(value, _TYPES[kind]):
        yield f"{path}: {kind} expected"
        return
    if "minLength" in schema and len(value) < schema["minLength"]:
        yield f"{path}: too short"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{path}: less than {schema['minimum']}"
    if kind == "array":
        for index, item in enumerate(value):
            yield from problems(item, schema["items"], f"{path}[{index}]")
    elif kind == "object":
        yield from (f"{path}.{name}: missing" for name in schema["required"] if name not in value)
        for name, part in schema["properties"].items():
            if name in value:
                yield from problems(value[name], part, f"{path}.{name}")


class OrderSchema(GraphBusNode):
    @subscribe("/Order/Submitted")
    def on_event(self, order: dict[str, Any]) -> dict[str, Any]:
        found = list(problems(order, _ORDER))
        return {"id": order.get("id"), "valid": not found, "problems": found}
