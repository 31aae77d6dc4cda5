"""A strict model: nothing is turned into something else."""

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt

from graphbus_core import GraphBusNode, subscribe


class Counter(BaseModel):
    model_config = ConfigDict(strict=True)

    name: str
    count: int
    rate: float = 0.0


class Gauge(BaseModel):
    on: StrictBool
    counters: list[Counter]
    limit: StrictInt | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Gauge) -> None:
        self.gauge = payload


GOOD = [
    {"on": True, "counters": []},
    {"on": False, "counters": [{"name": "a", "count": 3}], "limit": None},
    {"on": False, "counters": [{"name": "", "count": -3, "rate": 1}], "limit": 0},
]
BAD = [
    {"on": 1, "counters": []},
    {"on": "true", "counters": []},
    {"on": True, "counters": [{"name": "a", "count": "3"}]},
    {"on": True, "counters": [{"name": 5, "count": 3}]},
    {"on": True, "counters": [], "limit": "9"},
]
