# stateful
"""The blocked prefixes are a generator at module level, and each membership test eats it further until nothing is blocked."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

RAW_PREFIXES = """
    4000
    4111   test cards
    5105
    6011
"""

blocked = (line.split()[0] for line in RAW_PREFIXES.splitlines() if line.strip())

RISKY_HOURS = range(1, 5)

Signal = Callable[["Payment"], int]


class Payment:
    __slots__ = ("card", "cents", "hour")

    def __init__(self, card: str, cents: int, hour: int) -> None:
        self.card = "".join(filter(str.isdigit, card))
        self.cents = cents
        self.hour = hour % 24

    @property
    def prefix(self) -> str:
        return self.card[:4]


def by_amount(payment: Payment) -> int:
    return min(40, max(0, payment.cents) // 5000)


def by_hour(payment: Payment) -> int:
    return 15 if payment.hour in RISKY_HOURS else 0


def by_prefix(payment: Payment) -> int:
    return 60 if payment.prefix in blocked else 0


SIGNALS: tuple[Signal, ...] = (by_amount, by_hour, by_prefix)


class FraudScore(GraphBusNode):
    @subscribe("/Checkout/Payment")
    def on_payment(self, order: int, card: str, cents: int, hour: int) -> dict[str, object]:
        payment = Payment(card, cents, hour)
        score = sum(signal(payment) for signal in SIGNALS)
        return {"order": order, "score": score, "decision": "review" if score >= 50 else "accept"}
