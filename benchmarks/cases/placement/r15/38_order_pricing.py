# stateful
"""Keeps the currency of the last order that named one, in a context variable that nobody resets."""
from contextvars import ContextVar
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

PRICES = {"bolt": Decimal("0.35"), "hinge": Decimal("4.20"), "door": Decimal("189.00"), "lock": Decimal("27.95")}
RATES = {"EUR": Decimal("1"), "USD": Decimal("1.08"), "CHF": Decimal("0.95"), "SEK": Decimal("11.4")}
_currency: ContextVar[str] = ContextVar("currency", default="EUR")


@dataclass(frozen=True)
class Money:
    amount: Decimal

    def shown(self) -> str:
        code = _currency.get()
        value = (self.amount * RATES[code]).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        return f"{code} {value:,}"


def price_lines(lines: dict[str, int]) -> Money:
    total = Decimal(0)
    for article, count in sorted(lines.items()):
        total += PRICES.get(article, Decimal(0)) * max(count, 0)
    return Money(total)


def localise(code: str) -> None:
    code = code.strip().upper()
    if code in RATES:
        _currency.set(code)


class OrderPricing(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.vat = Decimal("0.19")

    @subscribe("/Orders/Placed")
    def on_order(self, lines: dict[str, int], currency: str) -> dict[str, str]:
        localise(currency)
        net = price_lines(lines)
        gross = Money(net.amount * (1 + self.vat))
        return {"net": net.shown(), "gross": gross.shown()}
