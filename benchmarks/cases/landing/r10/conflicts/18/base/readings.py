"""Logs of temperature readings."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    sensor: str
    celsius: float


class ReadingLog:
    """An open log; use it with 'with'."""

    def __init__(self, path):
        self._file = open(path, encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._file.close()

    def rows(self):
        """The readings of the log."""
        found = []
        for line in self._file:
            sensor, celsius = line.split()
            found.append(Reading(sensor, float(celsius)))
        return found
