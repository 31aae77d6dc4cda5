from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class CertificateResult(TypedDict):
    text: str


class Certificate(GraphBusNode):
    @depends_on("Quiz.grade")
    @schema_method
    def print_for(self, name: str, result: int) -> CertificateResult:
        return {"text": f"{name}: {result} points"}
