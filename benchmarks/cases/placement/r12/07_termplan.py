# stateful
"""Moves the first weekday of the calendar module for schools overseas and never moves it back."""
import calendar
from enum import Enum
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Region(Enum):
    EUROPE = calendar.MONDAY
    AMERICA = calendar.SUNDAY
    GULF = calendar.SATURDAY

    @classmethod
    def of(cls, country: str) -> "Region":
        match country.upper():
            case "US" | "CA" | "BR":
                return cls.AMERICA
            case "AE" | "QA" | "OM":
                return cls.GULF
            case _:
                return cls.EUROPE


class Sheet(NamedTuple):
    year: int
    month: int

    @classmethod
    def clamp(cls, year: int, month: int) -> "Sheet":
        return cls(1900 + abs(year) % 200, 1 + (month - 1) % 12)

    def rows(self) -> list[str]:
        head = calendar.weekheader(2)
        weeks = calendar.monthcalendar(self.year, self.month)
        return [head] + [" ".join(f"{d:2d}" if d else "  " for d in week) for week in weeks]


class TermPlan(GraphBusNode):
    """Prints the month sheet that hangs in the class room."""

    def _localise(self, country: str) -> Region:
        region = Region.of(country)
        if region is not Region.EUROPE:
            calendar.setfirstweekday(region.value)
        return region

    @subscribe("/School/MonthSheet")
    def on_month(self, school: str, country: str, year: int, month: int) -> dict[str, object]:
        region = self._localise(country)
        sheet = Sheet.clamp(year, month)
        return {"school": school, "region": region.name.lower(), "sheet": sheet.rows()}
