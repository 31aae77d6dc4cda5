"""Evening tours of a bakery van."""
import datetime as dt
from dataclasses import dataclass
from itertools import pairwise

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass(order=True)
class Stop:
    position: int
    name: str
    stay: int


STOPS = [Stop(0, "a", 0), Stop(4, "b", 5), Stop(9, "c", 3)]
BEGIN = dt.datetime(2024, 8, 1, 17, 0)
MINUTES_PER_KM = 3


class RoutePlanner(GraphBusNode):
    @schema_method(
        input_schema={"stop": str},
        output_schema={"stop": str, "departs": dt.datetime},
    )
    def plan(self, stop):
        now = BEGIN
        for here, there in pairwise(sorted(STOPS)):
            now += dt.timedelta(minutes=here.stay)
            if there.name == stop:
                return {"stop": stop, "departs": now}
            now += dt.timedelta(minutes=(there.position - here.position) * MINUTES_PER_KM)
        raise LookupError(stop)


class Notice(GraphBusNode):
    slack = dt.timedelta(minutes=10)

    def __init__(self):
        super().__init__()
        self.sent = []

    @depends_on("RoutePlanner.plan")
    @schema_method(
        input_schema={"stop": str, "eta": dt.datetime},
        output_schema={"text": str},
    )
    def send(self, stop, eta):
        text = f"between {eta - self.slack:%H:%M} and {eta + self.slack:%H:%M}"
        self.sent.append((stop, text))
        return {"text": text}
