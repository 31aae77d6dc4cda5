# stateful
"""The caller appends to the list that the cached function gave out, so the cached chain grows."""
import re
from enum import Enum
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

MANAGER = {
    "ada": "bert",
    "bert": "cora",
    "cora": "",
    "dino": "bert",
    "eve": "cora",
}


class Kind(Enum):
    TRAVEL = "travel"
    MEAL = "meal"
    EQUIPMENT = "equipment"
    OTHER = "other"


PATTERNS = [
    (Kind.TRAVEL, re.compile(r"\b(?:train|flight|taxi|hotel)\b", re.I)),
    (Kind.MEAL, re.compile(r"\b(?:lunch|dinner|restaurant)\b", re.I)),
    (Kind.EQUIPMENT, re.compile(r"\b(?:laptop|monitor|desk)\b", re.I)),
]
ACCOUNTS = {Kind.TRAVEL: 6650, Kind.MEAL: 6640, Kind.EQUIPMENT: 6845, Kind.OTHER: 6300}
CAPS = {Kind.MEAL: 6_000, Kind.TRAVEL: 150_000}


def classify(purpose: str) -> Kind:
    return next((kind for kind, pattern in PATTERNS if pattern.search(purpose)), Kind.OTHER)


def payable(kind: Kind, cents: int) -> int:
    return min(cents, CAPS.get(kind, cents))


@lru_cache(maxsize=256)
def chain(employee: str) -> list[str]:
    """All superiors, nearest first."""
    boss = MANAGER.get(employee, "")
    return [boss, *chain(boss)] if boss else []


def needs_finance(cents: int) -> bool:
    return cents >= 100_000


class Approvals(GraphBusNode):
    @subscribe("/expenses/submitted")
    def on_submitted(self, employee: str, purpose: str, cents: int) -> dict[str, object]:
        if employee not in MANAGER:
            return {"employee": employee, "approvers": [], "status": "unknown"}
        kind = classify(purpose)
        approvers = chain(employee)
        if needs_finance(cents):
            approvers.append("finance")
        return {
            "employee": employee,
            "approvers": list(approvers),
            "account": ACCOUNTS[kind],
            "payable": payable(kind, cents),
            "status": "waiting" if approvers else "approved",
        }
