from graphbus_core import GraphBusNode, depends_on, schema_method


class Buy(GraphBusNode):
    @schema_method(output_schema={"price": float})
    async def quote(self, symbol: str):
        return {"price": 10.0 * len(symbol)}


class Sell(GraphBusNode):
    @schema_method(output_schema={"price": float})
    async def quote(self, symbol: str):
        return {"price": 10.5 * len(symbol)}


class Margin(GraphBusNode):
    fair = 20.0

    @depends_on("Buy.quote")
    @schema_method(output_schema={"spread": float})
    def of(self, ask_price: float):
        return {"spread": round(ask_price - self.fair, 2)}
