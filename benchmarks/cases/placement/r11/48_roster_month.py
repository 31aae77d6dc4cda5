# stateful
"""Sets the calendar module's first weekday for some regions; the module keeps it for every later event."""
import calendar

from graphbus_core import GraphBusNode, subscribe

FIRST_DAYS = {"US": calendar.SUNDAY, "CA": calendar.SUNDAY, "EG": calendar.SATURDAY}
CLOSED = {"retail": {6}, "office": {5, 6}, "clinic": set()}


def _weeks(year: int, month: int) -> list[list[int]]:
    return [[day for day in week if day] for week in calendar.monthcalendar(year, month)]


def _open_days(year: int, month: int, days: list[int], branch: str) -> int:
    closed = CLOSED.get(branch, {6})
    return sum(calendar.weekday(year, month, day) not in closed for day in days)


class RosterMonth(GraphBusNode):
    @subscribe("/Roster/Month")
    def on_month(self, region: str, branch: str, year: int, month: int) -> dict:
        if not 1 <= month <= 12:
            return {"error": f"no month {month}"}
        if region in FIRST_DAYS:
            calendar.setfirstweekday(FIRST_DAYS[region])
        weeks = _weeks(year, month)
        shifts = [3 * _open_days(year, month, days, branch) for days in weeks]
        return {"region": region, "weeks": len(weeks), "shifts": shifts, "total": sum(shifts)}
