from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Found(TypedDict):
    sku: str
    last_price: int
    quote_id: str


QUOTES = {"q-9": 1299}


class Catalogue(GraphBusNode):
    """last_price is the one of the nightly export, for sorting alone."""

    @schema_method
    def find(self, text: str) -> Found:
        return {"sku": "kettle", "last_price": 999, "quote_id": "q-9"}


class Checkout(GraphBusNode):
    @depends_on("Catalogue.find")
    @schema_method
    def order(self, sku: str, price: int) -> dict[str, int]:
        return {"due": price}
