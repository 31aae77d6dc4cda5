"""Audit."""

from bus import listen


def record(payload):
    return f"{payload['at']}: in"


listen("login", record)


def stamp(payload):
    return payload["at"] + 1


listen("login", stamp)
