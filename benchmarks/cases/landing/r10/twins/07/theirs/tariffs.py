"""Prices of a kilowatt hour over time."""
from datetime import date


class Tariff:
    def __init__(self):
        self._rates = []

    def add(self, since, rate):
        """From the day since on, a kilowatt hour costs rate."""
        if rate < 0:
            raise ValueError("negative rate")
        self._rates.append((since, rate))

    def rate_on(self, day):
        """The rate in force on a day."""
        in_force = [entry for entry in self._rates if entry[0] <= day]
        if not in_force:
            raise LookupError(f"no rate on {day}")
        return max(in_force)[1]

    def first_day(self):
        return min(self._rates)[0] if self._rates else date.max

    def __len__(self):
        return len(self._rates)

    def import_csv(self, text):
        """Add the rates of a CSV with a date and a rate a line; return how many."""
        rates = []
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                since, rate = line.split(",")
                rates.append((date.fromisoformat(since.strip()), float(rate)))
        for since, rate in rates:
            self.add(since, rate)
        return len(rates)
