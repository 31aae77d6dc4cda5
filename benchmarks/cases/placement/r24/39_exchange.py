# stateful
"""Converting bitcoin raises the precision of the thread's decimal context and nobody lowers it again."""
import decimal
from decimal import Decimal as D

from graphbus_core import GraphBusNode, subscribe

decimal.getcontext().prec = 9

PER_EUR = {
    "EUR": D("1"),
    "USD": D("1.0837"),
    "CHF": D("0.9561"),
    "JPY": D("163.42"),
    "BTC": D("0.0000157312"),
}
DUST = {"BTC": D("0.00000001"), "JPY": D("1")}


def need_precision(*currencies):
    for c in currencies:
        if c in DUST and DUST[c] < D("0.01"):
            decimal.getcontext().prec = 24


def convert(amount, source, target):
    need_precision(source, target)
    return amount / PER_EUR[source] * PER_EUR[target]


class Exchange(GraphBusNode):
    fee = D("0.0015")

    @subscribe("/fx/ask")
    def on_ask(self, amount: str, source: str, target: str) -> dict[str, str]:
        gross = convert(D(amount), source, target)
        cost = gross * self.fee
        return {
            "pair": source + target,
            "rate": str(PER_EUR[target] / PER_EUR[source]),
            "gets": str(gross - cost),
            "fee": str(cost),
        }
