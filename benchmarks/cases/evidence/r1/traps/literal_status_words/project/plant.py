from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class State(TypedDict):
    status: Literal["open", "closed", "stuck"]


class Valve(GraphBusNode):
    def __init__(self, status="stuck"):
        self.status = status

    @schema_method
    def state(self) -> State:
        return {"status": self.status}


class Desk(GraphBusNode):
    FLOW = {"open": 5.0, "closed": 0.0}

    @depends_on("Valve.state")
    @schema_method
    def update(self, status: Literal["open", "closed"]) -> dict[str, float]:
        return {"flow": self.FLOW.get(status, 0.0)}
