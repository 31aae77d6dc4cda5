# stateful
"""Keeps the precision of the last currency: the decimal context of the thread is changed and not put back."""
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

PRECISION = {"JPY": 6, "EUR": 9, "BHD": 12}
RATES = {"JPY": Decimal("163.2145"), "EUR": Decimal("1"), "BHD": Decimal("0.4087613")}


class UnknownCurrency(KeyError):
    def __str__(self) -> str:
        return f"no rate for {self.args[0]}"


def rate(currency: str) -> Decimal:
    try:
        return RATES[currency]
    except KeyError:
        raise UnknownCurrency(currency) from None


def tune(currency: str) -> None:
    wanted = PRECISION.get(currency)
    if wanted:
        decimal.getcontext().prec = wanted


class InvoiceRounding(GraphBusNode):
    """Converts invoices; a second topic spreads a total over shares."""

    @subscribe("/Invoices/Convert")
    def on_convert(self, amount: str, currency: str) -> dict[str, str]:
        tune(currency)
        try:
            return {"amount": str(Decimal(amount) * rate(currency)), "currency": currency}
        except UnknownCurrency as exc:
            return {"error": str(exc)}

    @subscribe("/Invoices/Split")
    def on_split(self, amount: str, shares: int) -> dict[str, str]:
        share = Decimal(amount) / shares
        return {"share": str(share), "rest": str(Decimal(amount) - share * shares)}
