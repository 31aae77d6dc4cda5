"""Logins."""

from bus import emit


def log_in(name):
    return emit("login", {"user": name, "at": 12})
