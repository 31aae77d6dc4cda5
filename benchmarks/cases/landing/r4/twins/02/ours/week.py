"""Hours booked in a week, for the team page."""
from events import length


def booked_hours(events):
    return round(sum(length(event) for event in events) / 60, 2)


def summary(name, events):
    hours = booked_hours(events)
    return f"{name}: {hours:g} h in {len(events)} meetings"
