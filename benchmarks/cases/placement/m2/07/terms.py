import calendar
from datetime import date, timedelta

CUSTOM = {"uk": calendar.MONDAY, "us": calendar.SUNDAY, "eg": calendar.SATURDAY}


def week_header(country: str) -> str:
    calendar.setfirstweekday(CUSTOM.get(country, calendar.firstweekday()))
    return calendar.weekheader(2)


def school_days(start: date, end: date, closed: frozenset[date] = frozenset()) -> list[date]:
    span = (end - start).days + 1
    days = (start + timedelta(days=n) for n in range(span))
    return [d for d in days if d.weekday() < 5 and d not in closed]
