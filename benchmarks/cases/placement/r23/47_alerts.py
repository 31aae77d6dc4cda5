# stateful
"""The default factory gives out the same module list to every alert, which then extends it."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

RECIPIENTS = ["duty officer"]


@dataclass
class Alert:
    kind: str
    level: int
    recipients: list[str] = field(default_factory=lambda: RECIPIENTS)

    def escalate(self) -> None:
        if self.level >= 3:
            self.add("fire service", "civil protection")
        if self.kind == "flood":
            self.add("water authority")

    def add(self, *names: str) -> None:
        self.recipients.extend(n for n in names if n not in self.recipients)


@dataclass
class StormAlert(Alert):
    gust: float = 0.0

    def escalate(self) -> None:
        super().escalate()
        if self.gust > 100:
            self.add("railway")


class AlertDesk(GraphBusNode):
    @subscribe("/Forecast/Alert")
    def on_alert(self, kind: str, level: int, gust: float = 0.0) -> dict:
        alert = StormAlert(kind, level, gust=gust) if kind == "storm" else Alert(kind, level)
        alert.escalate()
        return {"subject": f"[{alert.level}] {alert.kind}", "to": ", ".join(sorted(alert.recipients))}
