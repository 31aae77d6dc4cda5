"""Points for faithful customers."""


class LoyaltyProgramme(object):
    """Counts the points of each customer."""

    def __init__(self):
        self.points = {}

    def on_order_paid(self, event):
        """Handle ``order.paid``."""
        customer = event.get("customer")
        if not customer:
            # guests collect nothing
            return
        amount = event.get("amount", 0)
        # a point for every full ten
        self.points[customer] = self.points.get(customer, 0) + amount // 1000
