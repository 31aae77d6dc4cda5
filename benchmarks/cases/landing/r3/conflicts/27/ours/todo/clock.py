"""The only place that asks for the time."""
import datetime


def now():
    return datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)


def stamp():
    """The time as it is written into the files."""
    return now().strftime("%Y-%m-%dT%H:%M:%SZ")
