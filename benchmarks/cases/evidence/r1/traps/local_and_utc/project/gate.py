from datetime import datetime
from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

UTC_OFFSET_H = 2


class Closed(TypedDict):
    flight: str
    local_time: datetime


class Gate(GraphBusNode):
    @schema_method
    def closed(self, flight: str) -> Closed:
        return {"flight": flight, "local_time": datetime(2026, 6, 1, 14, 30)}
