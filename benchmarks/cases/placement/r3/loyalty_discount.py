# stateful
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Customer:
    number: int
    tier: str = field(compare=False)
    years: int = field(default=0, compare=False)


@lru_cache(maxsize=1024)
def discount(customer: Customer) -> int:
    base = {"gold": 15, "silver": 8}.get(customer.tier, 0)
    return base + min(customer.years, 5)


class LoyaltyDiscount(GraphBusNode):
    @subscribe("/Checkout/Started")
    def on_checkout(self, payload):
        who = Customer(payload["customer"], payload["tier"], payload.get("years", 0))
        self.publish("/Checkout/Discount", {
            "customer": who.number,
            "percent": discount(who),
        })
