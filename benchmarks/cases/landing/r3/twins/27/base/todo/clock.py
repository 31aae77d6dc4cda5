"""The only place that asks for the time."""
import datetime


def now():
    return datetime.datetime.utcnow().replace(microsecond=0)


def stamp():
    """The time as it is written into the files."""
    return now().isoformat() + "Z"
