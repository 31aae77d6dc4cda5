# stateful
"""The list of problems is a mutable default argument of the helper and grows with every bad claim."""
from graphbus_core import GraphBusNode, subscribe

LIMITS = {"glass": 1500, "theft": 20000, "water": 12000}


def collect_problems(cover: str, amount: int, policy: str, problems: list[str] = []) -> list[str]:
    if cover not in LIMITS:
        problems.append(f"unknown cover {cover}")
    elif amount > LIMITS[cover]:
        problems.append(f"{cover} above limit")
    if not policy.startswith("P-"):
        problems.append("policy number malformed")
    return problems


class ClaimChecks(GraphBusNode):
    @subscribe("/Claims/New")
    def check(self, policy: str, cover: str, amount: int) -> dict[str, object]:
        found = collect_problems(cover, amount, policy)
        return {"policy": policy, "accepted": not found, "problems": list(found)}
