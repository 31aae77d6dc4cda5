from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Quote(TypedDict):
    exchange: str
    symbol: str
    cents: int


class Quotes(GraphBusNode):
    @schema_method
    async def latest(self, name: str) -> Quote:
        return {"exchange": "XETRA", "symbol": name.upper(), "cents": 1234}


class Alerts(GraphBusNode):
    @depends_on("Quotes.latest")
    @schema_method
    async def check(self, ticker: str, cents: int) -> dict[str, str]:
        return {"alert": f"{ticker} {cents / 100:.2f}"}
