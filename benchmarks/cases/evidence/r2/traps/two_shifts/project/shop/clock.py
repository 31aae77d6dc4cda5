from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

Day = TypedDict("Day", {"planned": int, "stamped": int, "end": int})


class Clock(GraphBusNode):
    @schema_method
    def day(self, worker: str) -> Day:
        return {"planned": 8, "stamped": 9, "end": 17}
