from datetime import datetime, timezone

START = datetime(2024, 1, 1)


def now():
    return datetime.now(timezone.utc)
