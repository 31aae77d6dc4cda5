# pure
"""Keeps nothing: the verdict comes from matching one finding against fixed cases."""
from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from graphbus_core import GraphBusNode, subscribe


class Urgency(IntEnum):
    LATER = 1
    SOON = 2
    NOW = 3


@dataclass(frozen=True)
class Finding:
    kind: str
    value: int
    where: str = "unknown"


@dataclass(frozen=True)
class Verdict:
    urgency: Urgency
    action: str

    def to_dict(self) -> dict[str, object]:
        return {"urgency": self.urgency.name, "action": self.action, "page": self.urgency is Urgency.NOW}


def judge(finding: Finding) -> Verdict:
    match finding:
        case Finding(kind="disk", value=v) if v > 95:
            return Verdict(Urgency.NOW, "free space")
        case Finding(kind="disk", value=v) if v > 80:
            return Verdict(Urgency.SOON, "order disks")
        case Finding(kind="cpu" | "load", value=v, where="db"):
            return Verdict(Urgency.NOW if v > 70 else Urgency.SOON, "look at queries")
        case Finding(kind="cpu" | "load", value=v):
            return Verdict(Urgency.SOON if v > 90 else Urgency.LATER, "watch")
        case Finding(where="unknown"):
            return Verdict(Urgency.LATER, "ask sender")
        case _:
            return Verdict(Urgency.LATER, f"file under {finding.kind}")


class Triage(GraphBusNode):
    @subscribe("/ops/finding")
    def on_finding(self, kind: str, value: int, where: str) -> dict[str, object]:
        return judge(Finding(kind, value, where or "unknown")).to_dict()
