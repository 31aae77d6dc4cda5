from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class SafetyResult(TypedDict):
    safe: bool


class Safety(GraphBusNode):
    @depends_on("Roaster.roast")
    @schema_method
    def check(self, batch: str, core_c: float) -> SafetyResult:
        return {"safe": core_c >= 70.0}
