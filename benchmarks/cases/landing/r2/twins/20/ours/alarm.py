"""Alarm."""

from event import Event


def loud(event: Event):
    return event.name.upper()
