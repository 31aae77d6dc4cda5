"""Days of a rental."""
import calendar
import datetime


def days(first, last):
    """Return the days from first to last, the last left out (the day of the return)."""
    count = (last - first).days
    return [first + datetime.timedelta(days=n) for n in range(max(0, count))]


def month_end(day):
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
