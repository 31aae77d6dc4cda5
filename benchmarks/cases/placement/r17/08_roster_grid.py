# stateful
"""A ward's wish for another first weekday changes the calendar module's own setting, which stays for those without a wish."""
import calendar
from datetime import date

from graphbus_core import GraphBusNode, subscribe

WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_abbr)}


def weeks(year: int, month: int) -> list[str]:
    rows = []
    for week in calendar.monthcalendar(year, month):
        rows.append(" ".join(f"{day:2d}" if day else " ." for day in week))
    return rows


def nights_in(year: int, month: int, every: int) -> list[str]:
    last = calendar.monthrange(year, month)[1]
    days = range(every, last + 1, every)
    return [date(year, month, day).isoformat() for day in days]


class RosterGrid(GraphBusNode):
    """Draws the monthly grid that is pinned up on a ward."""

    @subscribe("/Ward/Roster")
    def on_roster(self, ward: str, year: int, month: int, week_starts: str, night_every: int) -> dict[str, object]:
        if week_starts:
            number = WEEKDAYS.get(week_starts[:3].lower())
            if number is None:
                return {"ward": ward, "error": f"unknown weekday {week_starts!r}"}
            calendar.setfirstweekday(number)
        grid = weeks(year, month)
        return {
            "ward": ward,
            "title": f"{calendar.month_name[month]} {year}",
            "header": calendar.weekheader(2),
            "grid": grid,
            "nights": nights_in(year, month, max(night_every, 1)),
        }
