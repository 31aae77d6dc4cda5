from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Invoice(TypedDict):
    number: str
    gross: float
    net: float


class Invoicing(GraphBusNode):
    @schema_method
    def make(self, number: str, net: float) -> Invoice:
        return {"number": number, "gross": round(net * 1.19, 2), "net": net}
