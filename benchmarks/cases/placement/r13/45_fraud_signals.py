# pure
"""Keeps nothing: the signals register themselves at import time and are only read afterwards."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

Signal = Callable[[dict], int]
SIGNALS: dict[str, Signal] = {}


def signal(name: str) -> Callable[[Signal], Signal]:
    def register(function: Signal) -> Signal:
        SIGNALS[name] = function
        return function
    return register


@signal("round amount")
def round_amount(claim: dict) -> int:
    return 10 if claim["amount"] % 100 == 0 else 0


@signal("young contract")
def young_contract(claim: dict) -> int:
    return max(0, 30 - claim["days"])


@signal("vague words")
def vague(claim: dict) -> int:
    words = {w.strip(".,").lower() for w in claim["text"].split()}
    return 7 * len(words & {"somehow", "suddenly", "somewhere"})


class FraudSignals(GraphBusNode):
    threshold = 25

    @subscribe("/Claims/Signals")
    def on_claim(self, amount: int, days: int, text: str) -> dict[str, object]:
        claim = {"amount": amount, "days": days, "text": text}
        scores = {name: points for name, test in SIGNALS.items() if (points := test(claim))}
        total = sum(scores.values())
        return {"total": total, "scores": scores, "inspect": total >= self.threshold}
