"""An alias generator, nested."""

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

from graphbus_core import GraphBusNode, subscribe


class Wire(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)


class LineItem(Wire):
    unit_price: float
    tax_rate: float = 0.2


class Cart(Wire):
    cart_id: str
    line_items: list[LineItem]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Cart) -> None:
        self.cart = payload


GOOD = [
    {"cartId": "c", "lineItems": []},
    {"cartId": "c", "lineItems": [{"unitPrice": 1}]},
    {"cartId": "", "lineItems": [{"unitPrice": 1.5, "taxRate": 0}, {"unitPrice": -1}]},
]
BAD = [
    {"cart_id": "c", "line_items": []},
    {"cartId": "c", "lineItems": [{"unit_price": 1}]},
    {"cartId": "c", "lineItems": [{"unitPrice": 1, "taxRate": None}]},
    {"cartId": "c", "lineItems": {"unitPrice": 1}},
    {"lineItems": []},
]
