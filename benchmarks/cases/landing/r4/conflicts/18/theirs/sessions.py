"""Login sessions; all times are UTC."""
import datetime as dt
import secrets


class Session:
    def __init__(self, user, seen=None):
        self.user = user
        self.token = secrets.token_hex(8)
        self.seen = seen or dt.datetime.utcnow()

    def touch(self):
        self.seen = dt.datetime.utcnow()

    def line(self):
        return f"{self.user}, last seen {self.seen:%Y-%m-%d}"
