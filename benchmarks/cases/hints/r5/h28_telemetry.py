from typing import Union
import msgspec
from graphbus_core import GraphBusNode, subscribe


class Gauge(msgspec.Struct, tag="gauge"):
    name: str
    value: float


class Count(msgspec.Struct, tag="count"):
    name: str
    by: int = 1


class Batch(msgspec.Struct):
    host: str
    points: list[Union[Gauge, Count]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Batch) -> None: ...


GOOD = [
    {"host": "h", "points": []},
    {"host": "h", "points": [{"type": "gauge", "name": "n", "value": 1}, {"type": "count", "name": "n"}]},
    {"host": "h", "points": [{"type": "count", "name": "n", "by": 4}], "ts": 1},
]
BAD = [
    {"host": "h", "points": [{"type": "timer", "name": "n", "value": 1}]},
    {"host": "h", "points": [{"name": "n", "value": 1}]},
    {"host": "h", "points": [{"type": "gauge", "name": "n"}]},
    {"host": "h", "points": [{"type": "count", "name": "n", "by": "4"}]},
    {"host": "h", "points": [None]},
]
