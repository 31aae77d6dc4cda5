# pure
"""Attributes are used as scratch space, but every event sets all of them anew before reading any."""
from graphbus_core import GraphBusNode, subscribe


class PremiumStatement(GraphBusNode):
    currency = "EUR"

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._total = 0

    def _start(self, customer: str) -> None:
        self._lines = [f"Statement for {customer}"]
        self._total = 0

    def _add(self, label: str, cents: int) -> None:
        self._total += cents
        self._lines.append(f"{label:<12}{cents / 100:>10.2f} {self.currency}")

    def _finish(self) -> str:
        self._lines.append(f"{'Total':<12}{self._total / 100:>10.2f} {self.currency}")
        return "\n".join(self._lines)

    @subscribe("/Billing/Statement")
    def statement(self, customer: str, items: list[list[object]]) -> dict[str, object]:
        self._start(customer)
        for label, cents in items:
            self._add(label, cents)
        text = self._finish()
        return {"text": text, "due": self._total, "reminder": self._total > 50_000}
