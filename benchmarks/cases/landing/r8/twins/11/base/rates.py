# exchange rates, one table per day
import datetime as dt


class Rates:
    def __init__(self, tables):
        # {date: {currency: units for one EUR}}
        self.tables = tables

    def rate(self, cur, day):
        """Units of cur for one EUR; KeyError if there is none that day."""
        if cur == "EUR":
            return 1.0
        return self.tables[day][cur]

    def days(self):
        return sorted(self.tables)


def day(text):
    return dt.date.fromisoformat(text)
