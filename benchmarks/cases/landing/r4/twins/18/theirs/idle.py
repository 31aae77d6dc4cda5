"""Sessions nobody uses any more."""
import datetime as dt

LIMIT = dt.timedelta(minutes=30)


def idle(sessions, now=None):
    now = now or dt.datetime.utcnow()
    return [session.user for session in sessions if now - session.seen > LIMIT]
