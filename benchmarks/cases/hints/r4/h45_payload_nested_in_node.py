from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    class Unit(Enum):
        C = "celsius"
        F = "fahrenheit"

    @dataclass
    class Sample:
        value: float
        unit: Node.Unit

    @dataclass
    class Reading:
        device: int
        sample: Node.Sample
        backup: Node.Sample | None = None

    @subscribe("/Case/In")
    def on_event(self, payload: Node.Reading) -> None: ...


GOOD = [
    {"device": 1, "sample": {"value": 20.5, "unit": "celsius"}},
    {"device": 1, "sample": {"value": 70, "unit": "fahrenheit"}, "backup": None},
    {"device": 1, "sample": {"value": 70, "unit": "fahrenheit"}, "backup": {"value": 21.0, "unit": "celsius"}},
]
BAD = [
    {"device": 1, "sample": {"value": 20.5, "unit": "kelvin"}},
    {"device": 1, "sample": {"value": "20.5", "unit": "celsius"}},
    {"device": 1, "sample": {"value": 20.5, "unit": "celsius"}, "backup": {"value": 21.0}},
    {"device": "1", "sample": {"value": 20.5, "unit": "celsius"}},
    {"device": 1},
]
