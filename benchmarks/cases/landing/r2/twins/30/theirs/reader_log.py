"""Reading."""

from log_file import LINES, open_log


def count():
    return len(LINES)


def last():
    return LINES[-1] if count() else "none"
