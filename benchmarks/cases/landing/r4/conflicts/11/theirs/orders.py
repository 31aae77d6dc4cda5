"""Orders and what was paid for them."""
from dataclasses import dataclass, field


@dataclass
class Order:
    number: int
    cents: int
    payments: list = field(default_factory=list)  # (day, cents)
    shipped: bool = False

    def is_paid(self, on=None):
        """Paid in full, now or at the end of a day."""
        paid = sum(cents for day, cents in self.payments if on is None or day <= on)
        return paid >= self.cents


def unpaid(orders, day=None):
    return [order.number for order in orders if not order.is_paid(day)]
