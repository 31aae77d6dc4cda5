"""The types stand inside the node's own class."""

from dataclasses import dataclass
from typing import Literal

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @dataclass
    class Sample:
        value: float
        unit: "Literal['C', 'F']"

    @dataclass
    class Batch:
        device: str
        samples: "list[Node.Sample]"

    @subscribe("/Case/In")
    def on(self, payload: Batch) -> None:
        self.batch = payload


GOOD = [
    {"device": "d", "samples": []},
    {"device": "d", "samples": [{"value": 1, "unit": "C"}]},
    {"device": "", "samples": [{"value": 1.5, "unit": "F"}, {"value": -1, "unit": "C"}]},
]
BAD = [
    {"device": "d"},
    {"device": "d", "samples": [{"value": 1, "unit": "K"}]},
    {"device": "d", "samples": [{"value": 1}]},
    {"device": "d", "samples": {"value": 1, "unit": "C"}},
    {"device": None, "samples": []},
]
