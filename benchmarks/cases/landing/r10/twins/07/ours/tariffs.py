"""Prices of a kilowatt hour over time."""
from bisect import bisect_right, insort
from datetime import date


class Tariff:
    def __init__(self):
        self._rates = []  # sorted by day

    def add(self, since, rate):
        """From the day since on, a kilowatt hour costs rate."""
        if rate < 0:
            raise ValueError("negative rate")
        insort(self._rates, (since, rate))

    def rate_on(self, day):
        """The rate in force on a day."""
        position = bisect_right(self._rates, day, key=lambda entry: entry[0])
        if position == 0:
            raise LookupError(f"no rate on {day}")
        return self._rates[position - 1][1]

    def first_day(self):
        return self._rates[0][0] if self._rates else date.max

    def __len__(self):
        return len(self._rates)
