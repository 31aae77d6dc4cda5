# stateful
"""Keeps the first day of the week in the calendar module, where setfirstweekday leaves it."""
import calendar
from typing import Any

from graphbus_core import GraphBusNode, subscribe

WEEK_START = {"US": calendar.SUNDAY, "DE": calendar.MONDAY, "EG": calendar.SATURDAY, "IL": calendar.SUNDAY}
SHIFTS = ("early", "late", "night")


def weeks(year: int, month: int, country: str) -> list[list[int]]:
    first = WEEK_START.get(country)
    if first is not None:
        calendar.setfirstweekday(first)
    return calendar.monthcalendar(year, month)


def assign(grid: list[list[int]], crew: list[str]) -> list[dict[str, Any]]:
    plan = []
    for number, week in enumerate(grid):
        days = [day for day in week if day]
        member = crew[number % len(crew)]
        plan.append({"from": days[0], "to": days[-1], "member": member, "shift": SHIFTS[number % len(SHIFTS)]})
    return plan


class ShiftGrid(GraphBusNode):
    @subscribe("/shift/plan")
    def on_plan(self, year: int, month: int, country: str, crew: list[str]) -> dict[str, Any]:
        if not 1 <= month <= 12:
            return {"error": "month"}
        if not crew:
            return {"error": "nobody there"}
        plan = assign(weeks(year, month, country), sorted(crew))
        return {"title": f"{calendar.month_name[month]} {year}", "plan": plan}
