# stateful
"""Asks the decimal context whether anything was inexact; the context's flags are sticky and never cleared."""
from decimal import ROUND_HALF_EVEN, Decimal, Inexact, getcontext

from graphbus_core import GraphBusNode, subscribe

CENT = Decimal("0.01")

SCHEMES: dict[str, dict[str, Decimal]] = {
    "standard": {"agent": Decimal("2.5"), "branch": Decimal("1.5"), "region": Decimal("0.5")},
    "direct": {"branch": Decimal("3"), "region": Decimal("1")},
    "partner": {"partner": Decimal("4.25"), "agent": Decimal("0.75")},
}


def portion(amount: Decimal, percent: Decimal) -> Decimal:
    return (amount * percent / 100).quantize(CENT, rounding=ROUND_HALF_EVEN)


def split(amount: Decimal, scheme: str) -> dict[str, Decimal]:
    shares = {who: portion(amount, percent) for who, percent in SCHEMES[scheme].items()}
    shares["house"] = amount - sum(shares.values())
    return shares


class CommissionSplit(GraphBusNode):
    @subscribe("/Sales/Closed")
    def on_sale(self, deal: str, amount: str, scheme: str) -> dict[str, object]:
        if scheme not in SCHEMES:
            return {"deal": deal, "error": f"no scheme {scheme!r}"}
        shares = split(Decimal(amount), scheme)
        was_rounded = getcontext().flags[Inexact]
        return {
            "deal": deal,
            "shares": {who: str(share) for who, share in shares.items()},
            "review": bool(was_rounded),
        }
