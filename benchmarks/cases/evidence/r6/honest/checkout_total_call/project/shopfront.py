"""From the basket to the money."""
from graphbus_core import GraphBusNode, depends_on, schema_method

SHIPPING = [(50.0, 4.9), (float("inf"), 0.0)]


class Basket(GraphBusNode):
    def __init__(self, items=()):
        super().__init__()
        self.items = list(items)

    def add(self, name, price):
        self.items.append((name, price))
        return self

    @schema_method(
        input_schema={},
        output_schema={"subtotal": float, "shipping": float, "grand_total": float},
    )
    def close(self):
        subtotal = sum(price for _, price in self.items)
        shipping = next(fee for limit, fee in SHIPPING if subtotal < limit)
        return {"subtotal": subtotal, "shipping": shipping, "grand_total": subtotal + shipping}


class Payment(GraphBusNode):
    limit = 500.0

    @depends_on("Basket.close")
    @schema_method(input_schema={"amount": float}, output_schema={"auth": str})
    def authorise(self, amount):
        if amount > self.limit:
            return {"auth": "declined"}
        return {"auth": f"A-{amount:.2f}"}


class Front:
    """What the web handler talks to."""

    def __init__(self):
        self.basket = Basket()
        self.payment = Payment()

    def pay(self):
        closed = self.basket.close()
        return self.payment.authorise(amount=closed["grand_total"])["auth"]
