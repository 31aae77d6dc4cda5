"""Constraints of annotated_types, stacked, beside plain texts that say nothing of values."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Gt, Interval, Len, Lt, MinLen, MultipleOf

from graphbus_core import GraphBusNode, subscribe

Celsius = Annotated[float, "degrees", Interval(gt=-273.15, le=1000)]
Port = Annotated[Annotated[int, Ge(1)], Lt(65536)]


@dataclass
class Probe:
    port: Port
    temps: Annotated[list[Celsius], Len(1, 3)]
    step: Annotated[int, Gt(0), MultipleOf(5)] = 5
    label: Annotated[str | None, "shown on the panel"] = None
    unit: Annotated[str, MinLen(1)] = "C"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Annotated[Probe, "from the field"]) -> None:
        self.probe = payload


GOOD = [
    {"port": 1, "temps": [0]},
    {"port": 65535, "temps": [1000, -273, 20.5], "step": 10},
    {"port": 80, "temps": [0.1], "label": None, "unit": "K"},
]
BAD = [
    {"port": 65536, "temps": [0]},
    {"port": 80, "temps": []},
    {"port": 80, "temps": [20, 1000.5]},
    {"port": 80, "temps": [0], "step": 0},
]
