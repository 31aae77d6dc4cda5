"""Clock."""

from event import Event


def tick():
    return Event("tick", 7)
