"""Figures from a log of readings."""
from collections import defaultdict

from readings import ReadingLog


def load(path, sensor=None):
    """The readings of a log, of one sensor or of all."""
    with ReadingLog(path) as log:
        rows = log.rows()
    return [row for row in rows if sensor in (None, row.sensor)]


def averages(path):
    """Mean temperature by sensor."""
    values = defaultdict(list)
    for row in load(path):
        values[row.sensor].append(row.celsius)
    return {sensor: round(sum(v) / len(v), 1) for sensor, v in values.items()}


def hottest(path):
    return max(load(path), key=lambda row: row.celsius, default=None)
