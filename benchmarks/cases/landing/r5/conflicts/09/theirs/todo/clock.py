from datetime import datetime


def now():
    """The time in UTC."""
    return datetime.utcnow()


def stamp():
    return now().strftime("%Y-%m-%d %H:%M")
