"""Days of a rental."""
import calendar
import datetime


def days(first, last, workdays=False):
    """Return the days from first to last, both included; only Monday to Friday with workdays."""
    found = []
    day = first
    while day <= last:
        if not workdays or day.weekday() < 5:
            found.append(day)
        day += datetime.timedelta(days=1)
    return found


def month_end(day):
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])
