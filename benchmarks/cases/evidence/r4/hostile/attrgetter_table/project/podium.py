from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class PodiumResult(TypedDict):
    text: str


class Podium(GraphBusNode):
    @depends_on("Runner.finish")
    @schema_method
    def place(self, name: str, seconds: float) -> PodiumResult:
        return {"text": f"{name} {seconds:.0f}s"}
