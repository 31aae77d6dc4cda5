from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class TraderResult(TypedDict):
    text: str


class Trader(GraphBusNode):
    @depends_on("Feed.latest")
    @schema_method
    def quote(self, symbol: str, price: float) -> TraderResult:
        return {"text": f"{symbol} @ {price}"}
