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
        return self.paid_on(None)

    def paid_on(self, on):
        """Paid in full at the end of a day (None: now)."""
        paid = sum(cents for day, cents in self.payments if on is None or day <= on)
        return paid >= self.cents


def unpaid(orders, day=None):
    return [order.number for order in orders if not order.paid_on(day)]
