# stateful
"""dataclasses.replace copies the basket but not its list, which all baskets share with the blank one."""
from dataclasses import dataclass, field, replace

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Basket:
    customer: str = ""
    currency: str = "EUR"
    gifts: list[str] = field(default_factory=list)
    cents: int = 0


BLANK = Basket()


def with_gifts(basket: Basket) -> Basket:
    if basket.cents >= 5000:
        basket.gifts.append("tote bag")
    if basket.cents >= 12000:
        basket.gifts.append("voucher")
    return basket


class BasketLines(GraphBusNode):
    @subscribe("/Shop/Checkout")
    def on_checkout(self, customer: str, prices: list[int]) -> dict[str, object]:
        basket = with_gifts(replace(BLANK, customer=customer, cents=sum(prices)))
        return {"customer": basket.customer, "total": basket.cents, "gifts": list(basket.gifts)}
