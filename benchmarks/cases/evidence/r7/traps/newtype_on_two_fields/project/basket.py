from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method
from money import Cents


class Sums(TypedDict):
    net: Cents
    gross: Cents
    items: int


class Basket(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.cents = [Cents(250), Cents(1100)]

    @schema_method
    def sum(self) -> Sums:
        net = sum(self.cents)
        return {"net": Cents(net), "gross": Cents(net * 119 // 100), "items": len(self.cents)}
