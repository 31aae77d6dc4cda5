"""Days of a rental."""
import calendar
import datetime


def days(first, last):
    """Return the days from first to last, both included."""
    count = (last - first).days + 1
    return [first + datetime.timedelta(days=n) for n in range(max(0, count))]


def month_start(day):
    return day.replace(day=1)


def month_end(day):
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
