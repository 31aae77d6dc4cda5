from readings import read


def summary(lines):
    rows = read(lines)
    values = [value for _, value in rows]
    by_hour = {}
    for when, value in rows:
        by_hour.setdefault(when[:2], []).append(value)
    return {
        "max": max(values, default=None),
        "busiest": max(by_hour, key=lambda h: len(by_hour[h]), default=None),
    }
