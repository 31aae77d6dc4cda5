from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ViewResult(TypedDict):
    html: str


class View(GraphBusNode):
    @depends_on("Device.load")
    @schema_method
    def tile(self, indoorTemperature: float, setPoint: float, isAlive: bool) -> ViewResult:
        return {"html": f"<b>{indoorTemperature}</b>/{setPoint}" if isAlive else "-"}
