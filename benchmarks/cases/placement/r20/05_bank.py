# stateful
"""Prices a transfer; the cache of fees forgets that the fee depends on the amount too, so the first amount decides."""
from decimal import Decimal
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

SEPA = set("DE FR IT ES NL AT BE FI".split())
BANDS = [(Decimal(100), Decimal("0.50")), (Decimal(1000), Decimal("1.25")), (Decimal(10000), Decimal("4.00"))]


def remembered(work: Callable[[str, str, Decimal], Decimal]) -> Callable[[str, str, Decimal], Decimal]:
    """Looking up the correspondent bank is slow, so keep what we found for a pair of countries."""
    known: dict[tuple[str, str], Decimal] = {}

    def wrapper(source: str, target: str, amount: Decimal) -> Decimal:
        pair = (source, target)
        if pair not in known:
            known[pair] = work(source, target, amount)
        return known[pair]

    return wrapper


def band(amount: Decimal) -> Decimal:
    for limit, fee in BANDS:
        if amount <= limit:
            return fee
    return Decimal("12.00")


@remembered
def transfer_fee(source: str, target: str, amount: Decimal) -> Decimal:
    if source == target:
        return Decimal("0.00")
    fee = band(amount)
    if not {source, target} <= SEPA:
        fee = fee * 2 + Decimal("3.50")
    return fee


class Transfers(GraphBusNode):
    @subscribe("/Bank/Transfer")
    def on_transfer(self, iban_from: str, iban_to: str, amount: str) -> dict[str, str]:
        value = Decimal(amount).quantize(Decimal("0.01"))
        fee = transfer_fee(iban_from[:2].upper(), iban_to[:2].upper(), value)
        return {
            "to": " ".join(iban_to[i:i + 4] for i in range(0, len(iban_to), 4)),
            "fee": f"{fee:.2f}",
            "debit": f"{value + fee:,.2f}",
        }
