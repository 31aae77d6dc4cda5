from graphbus_core import GraphBusNode, depends_on, schema_method
from typing import TypedDict


class Departure(TypedDict):
    platform: str
    line: int


class Tram(GraphBusNode):
    @schema_method
    def next(self, stop: str) -> Departure:
        return Departure(platform="B", line=4)


class Screen(GraphBusNode):
    @depends_on("Tram.next")
    @schema_method
    def show(self, line: int, gleis: str) -> dict[str, str]:
        return {"text": f"{line} | {gleis}"}
