"""Errors by hour of the day, for the morning report."""
from logscan import parser


def hour_of(stamp):
    return int(stamp[11:13])


def bars(counts, width=20):
    if not counts:
        return []
    top = max(counts.values())
    return [f"{hour:02d} " + "#" * max(1, counts[hour] * width // top) for hour in sorted(counts)]


def errors_by_hour(lines):
    counts = {}
    for record in parser.parse(lines):
        stamp, level, message = record
        if level == "ERROR" and not message.startswith("probe:"):
            counts[hour_of(stamp)] = counts.get(hour_of(stamp), 0) + 1
    return counts
