# stateful
"""Prints the pick-up week for a customer; the first day of the week is set in the calendar module and stays set."""
import calendar
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

DAYS_NEEDED = {"shirt": 1, "suit": 3, "curtain": 4, "leather": 8}
CENTS = {"shirt": 290, "suit": 1450, "curtain": 1990, "leather": 4500}
SUNDAY_FIRST = {"US", "CA", "JP", "IL"}
MONDAY_FIRST = {"DE", "FR", "IT", "GB"}


def use_country(country: str) -> None:
    if country in SUNDAY_FIRST:
        calendar.setfirstweekday(calendar.SUNDAY)
    elif country in MONDAY_FIRST:
        calendar.setfirstweekday(calendar.MONDAY)


def ready_on(start: date, items: dict[str, int]) -> date:
    """No work is done on Sundays; five pieces of a kind take a day more."""
    need = max((DAYS_NEEDED.get(name, 2) + pieces // 5 for name, pieces in items.items()), default=0)
    day = start
    while need:
        day += timedelta(days=1)
        need -= day.weekday() != calendar.SUNDAY
    return day


def week_line(day: date) -> str:
    """The week of the day with the day itself in brackets."""
    for week in calendar.monthcalendar(day.year, day.month):
        if day.day in week:
            return " ".join(f"[{d}]" if d == day.day else str(d or "-") for d in week)
    return ""


class Laundry(GraphBusNode):
    @subscribe("/Laundry/Ticket")
    def on_ticket(self, received: str, items: dict[str, int], country: str) -> dict[str, object]:
        use_country(country.upper())
        day = ready_on(date.fromisoformat(received), items)
        total = sum(CENTS.get(name, 500) * pieces for name, pieces in items.items())
        return {
            "ready": day.strftime("%d.%m.%Y"),
            "head": calendar.weekheader(2),
            "week": week_line(day),
            "total": f"{total / 100:.2f}",
        }
