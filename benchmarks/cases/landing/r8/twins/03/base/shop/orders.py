"""The order service publishes what happens to orders."""


class OrderService(object):
    """Keeps the orders and announces their payment."""

    def __init__(self, bus):
        self._bus = bus
        self._orders = {}

    def create(self, order_id, customer, lines):
        """Create an order; lines are (article, count, price in cents)."""
        self._orders[order_id] = {"customer": customer, "lines": list(lines), "paid": False}

    def pay(self, order_id):
        """Mark an order as paid and publish ``order.paid`` once."""
        order = self._orders[order_id]
        if order["paid"]:
            return
        order["paid"] = True
        amount = sum(count * price for _, count, price in order["lines"])
        self._bus.publish("order.paid", {
            "order_id": order_id,
            "customer": order["customer"],
            "amount": amount,
        })
