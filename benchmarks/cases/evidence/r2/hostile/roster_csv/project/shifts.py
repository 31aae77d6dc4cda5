from graphbus_core import GraphBusNode, depends_on, schema_method
from typing import TypedDict


class Pick(TypedDict):
    worker: str
    hour: str


class Pool(GraphBusNode):
    @schema_method
    def pick(self, hour: str) -> Pick:
        return {"worker": "Uma", "hour": hour}


class Shift(GraphBusNode):
    @depends_on("Pool.pick")
    @schema_method
    def assign(self, person: str, hour: str) -> dict[str, str]:
        return {"line": f"{hour:>2} {person}"}
