from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class FeedResult(TypedDict):
    symbol: str
    bid: float
    ask: float


class Feed(GraphBusNode):
    @schema_method
    def latest(self, symbol: str) -> FeedResult:
        return {"symbol": symbol, "bid": 10.0, "ask": 11.0}
