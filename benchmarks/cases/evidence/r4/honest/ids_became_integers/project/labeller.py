from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class LabellerResult(TypedDict):
    question: str


class Labeller(GraphBusNode):
    @depends_on("Pool.pick")
    @schema_method
    def ask(self, id: str, group: str) -> LabellerResult:
        return {"question": f"{group}/{id}: which class?"}
