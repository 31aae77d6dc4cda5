from datetime import timedelta


def days(start, end):
    """All days from start to end, both included."""
    found = []
    while start <= end:
        found.append(start)
        start += timedelta(days=1)
    return found
