"""What is private, computed or a class variable is no field of the payload."""

from typing import ClassVar

from pydantic import BaseModel, PrivateAttr, computed_field

from graphbus_core import GraphBusNode, subscribe


class Rect(BaseModel):
    unit: ClassVar[str] = "cm"
    width: float
    height: float
    _cache: dict = PrivateAttr(default_factory=dict)

    @computed_field
    @property
    def area(self) -> float:
        return self.width * self.height


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Rect) -> None:
        self.rect = payload


GOOD = [
    {"width": 1, "height": 2},
    {"width": 0.5, "height": -2.25},
    {"width": 1, "height": 2, "area": "two"},
]
BAD = [
    {"width": 1},
    {"width": 1, "area": 2},
    {"width": None, "height": 2},
    {"width": [1], "height": 2},
]
