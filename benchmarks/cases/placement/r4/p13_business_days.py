# pure
"""Due date after a number of business days."""
from graphbus_core import GraphBusNode, subscribe
from datetime import date, timedelta

HOLIDAYS = {date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1)}


def business_days(start):
    day = start
    while True:
        day += timedelta(days=1)
        if day.weekday() < 5 and day not in HOLIDAYS:
            yield day


class DueDates(GraphBusNode):
    @subscribe("/In")
    def on_invoice(self, event):
        issued = date.fromisoformat(event["issued"])
        days = business_days(issued)
        for _ in range(event["days"]):
            due = next(days)
        return {"due": due.isoformat(), "total": (due - issued).days}
