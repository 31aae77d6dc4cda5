"""Audit."""

from bus import listen


def record(payload):
    return f"{payload['at']}: in"


listen("login", record)
