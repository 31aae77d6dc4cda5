from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class BasketResult(TypedDict):
    sum_cents: int


class Basket(GraphBusNode):
    @schema_method
    def sum_up(self, basket: str) -> BasketResult:
        return {"sum_cents": 100 * len(basket)}
