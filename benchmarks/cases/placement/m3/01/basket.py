from collections import Counter
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

from catalogue import TITLES, step_discount

CENT = Decimal("0.01")


class BasketTotal(GraphBusNode):
    """Adds up a basket; everything it needs arrives with the event."""

    @subscribe("/Basket/Priced")
    def on_basket(self, isbns: list[str], member: bool) -> dict:
        counted = Counter(i for i in isbns if i in TITLES)
        total = Decimal(0)
        lines = []
        for isbn, quantity in sorted(counted.items()):
            title = TITLES[isbn]
            amount = title.price * quantity * (1 - step_discount(quantity))
            total += amount
            lines.append(f"{quantity} x {title.name}")
        if member:
            total *= Decimal("0.98")
        return {
            "lines": lines,
            "total": str(total.quantize(CENT, ROUND_HALF_UP)),
            "unknown": len(isbns) - sum(counted.values()),
        }
