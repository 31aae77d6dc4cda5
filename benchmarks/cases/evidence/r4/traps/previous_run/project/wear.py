from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class WearResult(TypedDict):
    text: str


class Wear(GraphBusNode):
    @depends_on("Odometer.read")
    @schema_method
    def assess(self, at: int, since_km: int) -> WearResult:
        return {"text": f"{at}: since {since_km}"}
