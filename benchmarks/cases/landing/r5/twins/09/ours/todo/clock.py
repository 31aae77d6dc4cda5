from datetime import datetime, timezone


def now():
    """The time in UTC."""
    return datetime.now(timezone.utc)


def stamp():
    return now().strftime("%Y-%m-%d %H:%M")
