# stateful
"""Keeps approvers that were appended to the list which lru_cache hands out again."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

ORG: dict[str, str | None] = {
    "alice": "bert",
    "bert": "carla",
    "carla": None,
    "dora": "carla",
    "emil": "dora",
}
CFO_LIMIT = 10_000
LEGAL_WORDS = frozenset({"licence", "lease", "contract"})


@lru_cache(maxsize=512)
def managers(employee: str) -> list[str]:
    """The line of managers, nearest first."""
    chain: list[str] = []
    boss = ORG.get(employee)
    while boss is not None:
        chain.append(boss)
        boss = ORG.get(boss)
    return chain


def needs_legal(subject: str) -> bool:
    return not LEGAL_WORDS.isdisjoint(subject.lower().split())


class Approvals(GraphBusNode):
    @subscribe("/purchase/requested")
    def on_request(self, employee: str, amount: int, subject: str) -> dict[str, object]:
        if amount <= 0:
            return {"employee": employee, "error": "amount"}
        if employee not in ORG:
            return {"employee": employee, "error": "unknown employee"}
        approvers = managers(employee)
        if amount > CFO_LIMIT and "cfo" not in approvers:
            approvers.append("cfo")
        if needs_legal(subject) and "legal" not in approvers:
            approvers.insert(0, "legal")
        return {"employee": employee, "approvers": list(approvers), "auto": not approvers}
