from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Stop(TypedDict):
    no: int
    name: str | None


class Stops(GraphBusNode):
    NAMES = {1: "Market"}

    @schema_method
    def get(self, no: int) -> Stop:
        return {"no": no, "name": self.NAMES.get(no)}
