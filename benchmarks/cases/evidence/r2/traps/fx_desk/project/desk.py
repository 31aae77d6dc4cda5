from graphbus_core import GraphBusNode, depends_on, schema_method


class Market(GraphBusNode):
    @schema_method(input_schema={"pair": str}, output_schema={"bid": float, "ask": float})
    def quote(self, pair):
        return {"bid": 1.0, "ask": 1.5}


class Deal(GraphBusNode):
    """Our customers buy."""

    @depends_on("Market.quote")
    @schema_method(input_schema={"price": float}, output_schema={"cost": float})
    def settle(self, price):
        return {"cost": 100 * price}
