"""A shop's orders, in memory."""
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Order:
    number: int
    customer: str
    placed: date
    items: tuple = ()


class Orders:
    def __init__(self):
        self._all = []

    def place(self, order):
        self._all.append(order)

    def of(self, customer):
        """A customer's orders, newest first."""
        mine = [order for order in self._all if order.customer == customer]
        return sorted(mine, key=lambda order: order.placed, reverse=True)

    def count(self, customer):
        return len(self.of(customer))

    def last_order(self, customer):
        """What the "order again" button repeats, or None."""
        mine = self.of(customer)
        return mine[0] if mine else None


def statement(orders, customer):
    """Lines for the account page, newest on top."""
    return [f"#{order.number} {order.placed:%d.%m.%Y}" for order in orders.of(customer)]
