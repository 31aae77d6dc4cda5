# pure
"""Counts working days from a date in the event with constant holidays."""
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe

FIXED = {(1, 1): "New Year", (5, 1): "Labour Day", (10, 3): "Unity Day", (12, 25): "Christmas", (12, 26): "Boxing Day"}
SPEED = {"standard": 3, "economy": 6, "express": 1}


def easter(year: int) -> date:
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    l = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 19 * l) // 433
    month = (h + l - 7 * m + 90) // 25
    day = (h + l - 7 * m + 33 * month + 19) % 32
    return date(year, month, day)


def holiday(day: date) -> str | None:
    offsets = {-2: "Good Friday", 1: "Easter Monday", 39: "Ascension", 50: "Whit Monday"}
    return FIXED.get((day.month, day.day)) or offsets.get((day - easter(day.year)).days)


def working(day: date) -> bool:
    return day.weekday() < 5 and holiday(day) is None


def add_working_days(start: date, count: int) -> tuple[date, list[str]]:
    day, skipped = start, []
    while count:
        day += timedelta(days=1)
        if working(day):
            count -= 1
        elif (name := holiday(day)) is not None:
            skipped.append(name)
    return day, skipped


class DeliveryDate(GraphBusNode):
    @subscribe("/Order/Shipped")
    def on_shipped(self, order: str, shipped: str, service: str) -> dict[str, object]:
        try:
            start = date.fromisoformat(shipped)
        except ValueError:
            return {"order": order, "error": "bad date"}
        due, skipped = add_working_days(start, SPEED.get(service, 4))
        return {"order": order, "due": due.isoformat(), "weekday": due.strftime("%a"), "skipped": skipped}
