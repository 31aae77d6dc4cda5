from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CampResult(TypedDict):
    text: str


class Camp(GraphBusNode):
    @depends_on("Scout.find")
    @schema_method
    def pitch(self, place: str) -> CampResult:
        return {"text": "tent at " + place}
