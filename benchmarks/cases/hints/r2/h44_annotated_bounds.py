"""Annotated with annotated_types: Interval, Gt, Len, MultipleOf, Predicate, stacked and nested."""
from typing import Annotated

import annotated_types as at
from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe

Byte = Annotated[int, at.Interval(ge=0, le=255)]
Upper = Annotated[str, at.Predicate(str.isupper)]
Positive = Annotated[float, at.Gt(0)]
Small = Annotated[Positive, at.Lt(1)]


class Paint(TypedDict):
    rgb: Annotated[list[Byte], at.Len(3, 3)]
    code: Annotated[Upper, at.MinLen(2)]
    alpha: Small
    litres: Annotated[int, at.MultipleOf(5)]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Annotated[Paint, "from the mixer"]) -> None:
        self.got = payload


GOOD = [
    {"rgb": [0, 128, 255], "code": "RED", "alpha": 0.5, "litres": 10},
    {"rgb": [0, 0, 0], "code": "AB", "alpha": 0.01, "litres": 0},
]
BAD = [
    {"rgb": [0, 128], "code": "RED", "alpha": 0.5, "litres": 10},
    {"rgb": [0, 128, 256], "code": "RED", "alpha": 0.5, "litres": 10},
    {"rgb": [0, 0, 0], "code": "Red", "alpha": 0.5, "litres": 10},
    {"rgb": [0, 0, 0], "code": "R", "alpha": 0.5, "litres": 10},
    {"rgb": [0, 0, 0], "code": "RED", "alpha": 1, "litres": 10},
    {"rgb": [0, 0, 0], "code": "RED", "alpha": 0.5, "litres": 12},
]
