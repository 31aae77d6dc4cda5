# pure
"""Keeps nothing: match on the event, each verdict is a fresh object."""
from dataclasses import dataclass, asdict
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Action(str, Enum):
    RENEW = "renew"
    REPRICE = "reprice"
    REVIEW = "review"
    LAPSE = "lapse"


@dataclass(frozen=True)
class Verdict:
    action: Action
    change: int
    note: str = ""


def decide(product: str, claims: int, ratio: float) -> Verdict:
    match product, claims:
        case "travel", _:
            return Verdict(Action.LAPSE, 0, "single trip")
        case _, 0:
            return Verdict(Action.RENEW, -3 if ratio == 0 else 0)
        case "motor" | "home", n if n <= 2 and ratio < 0.8:
            return Verdict(Action.RENEW, 2 * n)
        case _, n if n > 4 or ratio > 2:
            return Verdict(Action.REVIEW, 0, f"{n} claims")
        case _:
            return Verdict(Action.REPRICE, min(25, int(ratio * 10)))


class Renewals(GraphBusNode):
    @subscribe("/Policy/Renewal")
    def on_policy(self, policy: str, product: str, paid: int, premium: int, claims: int) -> dict[str, object]:
        ratio = paid / premium if premium else 0.0
        verdict = asdict(decide(product, claims, ratio))
        verdict["action"] = verdict["action"].value
        return {"policy": policy, "ratio": round(ratio, 3), **verdict}
