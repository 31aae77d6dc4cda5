"""Logins."""

from bus import emit


def log_in(name):
    return emit("login", {"account": name, "at": 12})
