# pure
"""Keeps scratch attributes on the node, each of which is set in every event before it is read."""
import string
from datetime import date, timedelta
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

BANDS = [(Decimal(11_000), Decimal(0)), (Decimal(18_000), Decimal("0.2")), (Decimal(62_000), Decimal("0.32")), (None, Decimal("0.45"))]


class LetterFormatter(string.Formatter):
    """Knows {amount!e} for euros and {day!d} for dates."""

    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "e":
            return f"{value:,.2f}".replace(",", " ") + " EUR"
        if conversion == "d" and isinstance(value, date):
            return f"{value.day}.{value.month}.{value.year}"
        return super().convert_field(value, conversion)


class TaxLetter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._format = LetterFormatter().format
        self._lines: list[str] = []
        self._tax = Decimal(0)
        self._rest = Decimal(0)

    def _start(self, income: Decimal) -> None:
        self._lines = []
        self._tax = Decimal(0)
        self._rest = income

    def _band(self, low: Decimal, high: Decimal | None, rate: Decimal) -> None:
        part = self._rest if high is None else min(self._rest, high - low)
        if part <= 0:
            return
        self._rest -= part
        self._tax += part * rate
        self._lines.append(self._format("{0!e} at {1:.0%}", part, rate))

    def _finish(self, name: str, day: date) -> str:
        due = day + timedelta(days=30)
        while due.weekday() >= 5:
            due += timedelta(days=1)
        self._lines.append(self._format("{name}: {tax!e} by {due!d}", name=name, tax=self._tax, due=due))
        return "\n".join(self._lines)

    @subscribe("/Tax/Declared")
    def on_declared(self, name: str, income: int, day: str) -> dict[str, object]:
        self._start(Decimal(max(income, 0)))
        low = Decimal(0)
        for high, rate in BANDS:
            self._band(low, high, rate)
            low = high if high is not None else low
        letter = self._finish(name, date.fromisoformat(day))
        return {"tax": str(self._tax), "letter": letter, "bands": len(self._lines) - 1}
