from graphbus_core import GraphBusNode, depends_on, schema_method

from .cart import Cart


class Invoice(GraphBusNode):
    @depends_on("Cart.total")
    @schema_method(input_schema={"amount": float}, output_schema={"text": str})
    def print(self, amount):
        return {"text": f"to pay: {amount}"}


def checkout(*items):
    """What the till calls."""
    total = Cart().total(list(items))
    return Invoice().print(amount=total["amount"])["text"]
