from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class StatementResult(TypedDict):
    text: str


class Statement(GraphBusNode):
    @depends_on("Parser.parse")
    @schema_method
    def line(self, payee: str, amount: float) -> StatementResult:
        return {"text": f"{payee}: {amount * 3}"}
