from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class ShopResult(TypedDict):
    ref: str
    id: str
    total: int


class Shop(GraphBusNode):
    @schema_method
    def checkout(self, cart: str) -> ShopResult:
        return {"ref": "for aunt Mo", "id": "o-" + cart, "total": 5}
