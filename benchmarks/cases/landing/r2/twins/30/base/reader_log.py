"""Reading."""

from log_file import LINES, open_log


def count():
    return len(LINES)
