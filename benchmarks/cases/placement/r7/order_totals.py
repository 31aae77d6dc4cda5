# pure
"""Changes the decimal context only inside a with block, which puts it back."""
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
SWISS = Decimal("0.05")
TAX = {"standard": Decimal("0.19"), "reduced": Decimal("0.07"), "zero": Decimal(0)}
LADDER = [(Decimal(1000), Decimal("0.08")), (Decimal(250), Decimal("0.03"))]


@dataclass(frozen=True)
class Position:
    price: Decimal
    quantity: int
    tax: str

    @property
    def net(self) -> Decimal:
        return self.price * self.quantity


def positions(rows: list[list[str]]) -> Iterator[Position]:
    for price, quantity, tax in rows:
        yield Position(Decimal(price), int(quantity), tax if tax in TAX else "standard")


def rebate(net: Decimal) -> Decimal:
    for limit, share in LADDER:
        if net >= limit:
            return share
    return Decimal(0)


def to_grid(amount: Decimal, grid: Decimal) -> Decimal:
    return ((amount / grid).quantize(Decimal(1)) * grid).quantize(CENT)


class Totals(GraphBusNode):
    @subscribe("/orders/checkout")
    def on_checkout(self, order: str, rows: list[list[str]], currency: str) -> dict[str, object]:
        with localcontext() as context:
            context.prec = 34
            context.rounding = ROUND_HALF_UP if currency == "CHF" else ROUND_HALF_EVEN
            items = list(positions(rows))
            net = sum((item.net for item in items), Decimal(0))
            factor = 1 - rebate(net)
            by_rate: dict[str, Decimal] = {}
            for item in items:
                by_rate[item.tax] = by_rate.get(item.tax, Decimal(0)) + item.net * factor * TAX[item.tax]
            gross = net * factor + sum(by_rate.values())
            total = to_grid(gross, SWISS if currency == "CHF" else CENT)
            taxes = {name: str(value.quantize(CENT)) for name, value in sorted(by_rate.items())}
        return {"order": order, "total": str(total), "currency": currency, "taxes": taxes}
