from datetime import timedelta


def days(start, end, with_end=True):
    """All days from start to end, the end only if with_end."""
    found = []
    while start < end or (with_end and start == end):
        found.append(start)
        start += timedelta(days=1)
    return found
