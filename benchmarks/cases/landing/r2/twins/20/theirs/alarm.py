"""Alarm."""

from event import Event


def loud(event: Event):
    return event.name.upper()


def ring():
    return loud(Event("ring"))
