"""A pydantic dataclass (with Field constraints and a config) holding a plain dataclass."""
import dataclasses
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclasses.dataclass
class Tolerance:
    plus: float
    minus: float


@dataclass(config=ConfigDict(extra="forbid"), kw_only=True)
class Measure:
    name: Annotated[str, Field(min_length=1)]
    samples: list[float] = Field(default_factory=list, max_length=4)
    tolerance: Tolerance | None = None
    unit: str = Field(alias="u")


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Measure) -> None:
        self.got = payload


GOOD = [
    {"name": "bore", "u": "mm"},
    {"name": "bore", "u": "mm", "samples": [1, 2.5], "tolerance": {"plus": 1, "minus": 0.5}},
]
BAD = [
    {"name": "", "u": "mm"},
    {"name": "bore", "unit": "mm"},
    {"name": "bore", "u": "mm", "operator": "kim"},
    {"name": "bore", "u": "mm", "samples": [1, 2, 3, 4, 5]},
    {"name": "bore", "u": "mm", "tolerance": {"plus": 1}},
]
