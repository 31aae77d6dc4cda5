# pure
"""Every event is worked out in its own local decimal context, nothing is kept."""
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe

_CENT = Decimal("0.01")
_RATES = {"standard": Decimal("0.19"), "reduced": Decimal("0.07"), "none": Decimal(0)}


@dataclass(frozen=True)
class Total:
    net: Decimal
    tax: Decimal

    @property
    def gross(self) -> Decimal:
        return self.net + self.tax


def total(lines: list[tuple[str, int, str]]) -> Total:
    with localcontext() as context:
        context.prec = 20
        context.rounding = ROUND_HALF_EVEN
        net = tax = Decimal(0)
        for price, quantity, rate in lines:
            amount = Decimal(price) * quantity
            net += amount
            tax += amount * _RATES[rate]
        return Total(net.quantize(_CENT), tax.quantize(_CENT))


class Invoices(GraphBusNode):
    @subscribe("/Invoice/Draft")
    def on_event(self, number: str, lines: list[tuple[str, int, str]]) -> dict[str, str]:
        try:
            result = total(lines)
        except KeyError as error:
            return {"number": number, "error": f"unknown rate {error.args[0]}"}
        return {
            "number": number,
            "net": str(result.net),
            "tax": str(result.tax),
            "gross": str(result.gross),
        }
