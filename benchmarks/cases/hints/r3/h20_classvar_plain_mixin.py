"""What is not a field: ClassVar, an unannotated attribute, annotations of a plain mixin,
annotations of an undecorated subclass."""
from dataclasses import dataclass
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Audited:
    audited_by: int


@dataclass
class Measured(Audited):
    unit: ClassVar[str] = "m"
    registry: ClassVar[dict[str, int]] = {}
    plain = 5
    value: float = 0.0
    sensor: str = "s"


class Labelled(Measured):
    label: int


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Labelled) -> None: ...


GOOD = [
    {},
    {"value": 3, "sensor": "t"},
    {"value": 3.5, "other": "x"},
]
BAD = [
    {"value": "3"},
    {"sensor": None},
    {"value": True},
    {"value": [1.0]},
    {"sensor": 7, "value": 1},
]
