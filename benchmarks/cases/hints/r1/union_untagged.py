"""A list of scalars and of dataclasses that no tag tells apart."""

from dataclasses import dataclass
from typing import List, Union

from graphbus_core import GraphBusNode, schema_method, subscribe


@dataclass
class Circle:
    radius: float


@dataclass
class Box:
    width: float
    height: float


@dataclass
class Drawing:
    shapes: List[Union[Circle, Box, str]]
    scale: Union[int, List[int]] = 1


class Node(GraphBusNode):
    @subscribe("/Case/In")
    @schema_method(input_schema={"payload": Drawing}, output_schema={})
    def on(self, payload: Drawing) -> None: ...


GOOD = [
    {"shapes": []},
    {"shapes": [{"radius": 1}, {"width": 1, "height": 2.5}, "logo"], "scale": 2},
    {"shapes": ["", {"radius": 0.0}], "scale": [1, 2]},
]
BAD = [{"shapes": [{"width": 1}]}, {"shapes": [{"radius": "1"}]}, {"shapes": [7]}, {"shapes": [], "scale": ["1"]}]
