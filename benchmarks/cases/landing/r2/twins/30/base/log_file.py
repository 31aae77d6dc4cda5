"""Logs."""

LINES = []


def open_log():
    return LINES
