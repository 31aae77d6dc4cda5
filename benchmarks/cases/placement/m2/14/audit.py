from graphbus_core import GraphBusNode, subscribe

from rules import MOTOR, Rule


def line(rule: Rule, fired: bool) -> str:
    return f"{rule.name:<8}{'x' if fired else '-'}"


class ClaimAudit(GraphBusNode):
    """All rules that would have fired on a claim."""

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Claims/Audit/Sampled")
    def sample(self, claim: dict) -> dict[str, object]:
        facts = {"amount": 0, "hour": 12, "part": "", "age": 40} | claim
        names = MOTOR.every(facts)
        listing = sorted(line(r, r.name in names) for r in MOTOR)
        return {"fired": names, "listing": "\n".join(listing)}
