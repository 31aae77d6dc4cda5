from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from string import Template

LINE = Template("total 5 $cur")


class ReceiptResult(TypedDict):
    text: str


class Receipt(GraphBusNode):
    @depends_on("Rates.get")
    @schema_method
    def render(self, cur: str) -> ReceiptResult:
        return {"text": LINE.safe_substitute(locals())}
