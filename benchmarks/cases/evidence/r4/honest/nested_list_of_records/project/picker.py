from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Pick(TypedDict):
    sku: str
    quantity: int


class PickerResult(TypedDict):
    total: int
    first: str


class Picker(GraphBusNode):
    @depends_on("Cart.lines")
    @schema_method
    def pick(self, lines: list[Pick]) -> PickerResult:
        return {"total": sum(line["quantity"] for line in lines), "first": lines[0]["sku"]}
