"""Orders and what was paid for them."""
from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    cents: int
    payments: list = field(default_factory=list)  # (day, cents)
    shipped: bool = False

    @property
    def is_paid(self):
        return sum(cents for _, cents in self.payments) >= self.cents


def unpaid(orders):
    return [order.number for order in orders if not order.is_paid]
