"""Prices and what one owns."""
from graphbus_core import GraphBusNode, depends_on, schema_method

BOOKS = {"ACME": [(11.0, 11.5), (11.9, 12.1), 12.0], "BOLT": [(3.0, 3.2), (3.1, 3.3), 3.2]}


class Exchange(GraphBusNode):
    @schema_method(
        input_schema={"symbol": str},
        output_schema={"symbol": str, "bid": float, "ask": float, "last": float},
    )
    def tick(self, symbol):
        *_, (bid, ask), last = BOOKS[symbol]
        return {"symbol": symbol, "bid": bid, "ask": ask, "last": last}


class Portfolio(GraphBusNode):
    def __init__(self, pieces=10):
        super().__init__()
        self.pieces = pieces

    @depends_on("Exchange.tick")
    @schema_method(input_schema={"price": float}, output_schema={"worth": float})
    def value(self, price):
        return {"worth": round(self.pieces * price, 2)}


class Tick:
    """Makes a.b out of a["b"]."""

    def __init__(self, data):
        self.__dict__["_data"] = data

    def __getattr__(self, name):
        try:
            return self._data[name]
        except KeyError:
            raise AttributeError(name) from None
