"""Warn when something gets too warm."""
from readings import ReadingLog


def first_over(path, limit):
    """The first reading over a limit, None when there is none."""
    with ReadingLog(path) as log:
        for row in log.rows():
            if row.celsius > limit:
                return row
    return None
