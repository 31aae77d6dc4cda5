"""Logs of temperature readings."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Reading:
    sensor: str
    celsius: float


class BadLine(ValueError):
    """A line that is no reading."""


class ReadingLog:
    """An open log; use it with 'with'."""

    def __init__(self, path):
        self._file = open(path, encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._file.close()

    def rows(self):
        """The readings of the log, one after the other; a log may be larger than memory."""
        for number, line in enumerate(self._file, 1):
            try:
                sensor, celsius = line.split()
                yield Reading(sensor, float(celsius))
            except ValueError:
                raise BadLine(f"line {number}: {line.strip()!r}") from None
