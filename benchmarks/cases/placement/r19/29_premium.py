# stateful
"""A contract in yen sets rounding and precision of the running decimal context, which later contracts then get as well."""
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, getcontext
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe

BASE = MappingProxyType({"car": Decimal("312.40"), "home": Decimal("148.15"), "travel": Decimal("39.90")})
RATES = MappingProxyType({"EUR": Decimal(1), "CHF": Decimal("0.9631"), "JPY": Decimal("161.37")})
DIGITS = MappingProxyType({"JPY": Decimal(1)})


def prepare(currency: str) -> None:
    """Yen have no cents, and our Tokyo partner cuts off."""
    context = getcontext()
    if currency == "JPY":
        context.rounding = ROUND_DOWN
        context.prec = 12
    elif context.prec > 28:
        context.rounding = ROUND_HALF_UP


def yearly(product: str, risk: Decimal, currency: str) -> Decimal:
    amount = BASE[product] * (1 + risk / 7) * RATES[currency]
    return amount.quantize(DIGITS.get(currency, Decimal("0.01")))


class PremiumCalculator(GraphBusNode):
    @subscribe("/Insurer/Applications")
    def on_application(self, product: str, risk: str, currency: str) -> dict[str, str]:
        if product not in BASE:
            return {"error": f"no product {product}"}
        prepare(currency)
        amount = yearly(product, Decimal(risk), currency)
        monthly = (amount / 12).quantize(Decimal("0.01"))
        return {"yearly": str(amount), "monthly": str(monthly), "currency": currency}
