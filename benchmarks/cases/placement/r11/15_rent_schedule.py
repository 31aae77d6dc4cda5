# pure
"""Computes due dates and pro-rata rents from the dates in the event; keeps nothing."""
import calendar
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from graphbus_core import GraphBusNode, subscribe

WEEKEND = {calendar.SATURDAY, calendar.SUNDAY}
BANK_HOLIDAYS = frozenset({(1, 1), (5, 1), (12, 25), (12, 26)})


def _last_day(day: date) -> date:
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _months(start: date, end: date) -> Iterator[tuple[date, date]]:
    current = start
    while current <= end:
        last = min(_last_day(current), end)
        yield current, last
        current = last + timedelta(days=1)


def _due(day: date) -> date:
    while day.weekday() in WEEKEND or (day.month, day.day) in BANK_HOLIDAYS:
        day += timedelta(days=1)
    return day


def _share(rent: Decimal, first: date, last: date) -> Decimal:
    days = (last - first).days + 1
    whole = calendar.monthrange(first.year, first.month)[1]
    return (rent * days / whole).quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)


class RentSchedule(GraphBusNode):
    @subscribe("/Lease/Signed")
    def on_signed(self, lease: str, start: str, end: str, rent: str) -> dict:
        try:
            first, last = date.fromisoformat(start), date.fromisoformat(end)
        except ValueError as error:
            return {"lease": lease, "error": str(error)}
        if last < first:
            return {"lease": lease, "error": "the lease ends before it starts"}
        amount = Decimal(rent)
        plan = [
            {"due": _due(a).isoformat(), "until": b.isoformat(), "amount": str(_share(amount, a, b))}
            for a, b in _months(first, last)
        ]
        total = sum((Decimal(p["amount"]) for p in plan), Decimal(0))
        return {"lease": lease, "payments": plan, "total": str(total)}
