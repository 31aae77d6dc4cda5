"""Login sessions; all times are UTC."""
import datetime as dt
import secrets


def _now():
    # utcnow() is deprecated from Python 3.12 on
    return dt.datetime.now(dt.timezone.utc).replace(tzinfo=None)


class Session:
    def __init__(self, user, seen=None):
        self.user = user
        self.token = secrets.token_hex(8)
        self.seen = seen or _now()

    def touch(self):
        self.seen = _now()

    def line(self):
        return f"{self.user}, last seen {self.seen:%Y-%m-%d}"
