# pure
"""Both times are in the event, the clock is not asked."""
from datetime import date, datetime, time, timedelta

from graphbus_core import GraphBusNode, subscribe

_OPEN, _CLOSE = time(9), time(17)
_HOLIDAYS = frozenset({date(2024, 1, 1), date(2024, 5, 1), date(2024, 12, 25)})
_HOURS = {"urgent": 4, "normal": 16, "low": 40}


def is_workday(day: date) -> bool:
    return day.weekday() < 5 and day not in _HOLIDAYS


def opening(moment: datetime) -> datetime:
    """The moment itself if the office is open, else the next opening."""
    day = moment.date()
    if is_workday(day) and moment.time() < _CLOSE:
        return max(moment, datetime.combine(day, _OPEN))
    day += timedelta(days=1)
    while not is_workday(day):
        day += timedelta(days=1)
    return datetime.combine(day, _OPEN)


def deadline(opened: datetime, hours: int) -> datetime:
    left = timedelta(hours=hours)
    moment = opening(opened)
    while left > (today := datetime.combine(moment.date(), _CLOSE) - moment):
        left -= today
        moment = opening(moment + today)
    return moment + left


class SlaDeadline(GraphBusNode):
    @subscribe("/Case/Opened")
    def on_event(self, case: str, priority: str, opened: str) -> dict[str, str]:
        try:
            moment = datetime.fromisoformat(opened).replace(tzinfo=None)
        except ValueError:
            return {"case": case, "error": "bad timestamp"}
        due = deadline(moment, _HOURS.get(priority, _HOURS["normal"]))
        return {"case": case, "due": due.isoformat(timespec="minutes")}
