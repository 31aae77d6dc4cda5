# stateful
"""Keeps the unbooked fractions of a cent per VAT rate in a default argument, so a later line gets an earlier line's cent."""
from decimal import Decimal, ROUND_DOWN

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")
RATES = {"standard": Decimal("0.19"), "reduced": Decimal("0.07"), "zero": Decimal("0")}


class UnknownRate(ValueError):
    pass


def rate_of(code: str) -> Decimal:
    try:
        return RATES[code]
    except KeyError:
        raise UnknownRate(f"no VAT rate {code!r}") from None


def book_tax(net: Decimal, code: str, remainders: dict[str, Decimal] = {}) -> Decimal:
    """Tax in whole cents; what falls below a cent is offered to the next line of the invoice."""
    exact = net * rate_of(code) + remainders.get(code, Decimal(0))
    booked = exact.quantize(CENT, rounding=ROUND_DOWN)
    remainders[code] = exact - booked
    return booked


class VatLines(GraphBusNode):
    """Answers every invoice line with its net, tax and gross."""

    @subscribe("/Billing/Line")
    def on_line(self, quantity: int, unit_price: str, code: str) -> dict[str, str]:
        net = (Decimal(unit_price) * quantity).quantize(CENT)
        try:
            tax = book_tax(net, code)
        except UnknownRate as error:
            return {"error": str(error)}
        return {"net": str(net), "tax": str(tax), "gross": str(net + tax)}
