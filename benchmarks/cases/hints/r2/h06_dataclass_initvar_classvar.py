"""Dataclass with InitVar (asked for), ClassVar and init=False fields (not asked for)."""
from dataclasses import InitVar, dataclass, field
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Rectangle:
    UNITS: ClassVar[tuple[str, ...]] = ("mm", "cm")
    width: float
    height: float
    scale: InitVar[int]
    label: InitVar[str | None] = None
    area: float = field(init=False, default=0.0)

    def __post_init__(self, scale: int, label: str | None) -> None:
        self.area = self.width * self.height * scale


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Rectangle) -> None:
        self.got = payload


GOOD = [
    {"width": 1.5, "height": 2, "scale": 3},
    {"width": 1.5, "height": 2, "scale": 3, "label": "door"},
]
BAD = [
    {"width": 1.5, "height": 2},
    {"width": 1.5, "height": 2, "scale": "three"},
    {"width": 1.5, "scale": 1},
    {"width": 1.5, "height": 2, "scale": 1, "label": ["door"]},
]
