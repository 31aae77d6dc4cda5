# exchange rates, one table per day
import datetime as dt


class NoRate(Exception):
    def __init__(self, cur, day):
        super().__init__("no rate for %s on %s" % (cur, day))
        self.cur, self.day = cur, day


class Rates:
    def __init__(self, tables):
        # {date: {currency: units for one EUR}}
        self.tables = tables

    def rate(self, cur, day):
        """Units of cur for one EUR; NoRate if there is none that day."""
        if cur == "EUR":
            return 1.0
        try:
            return self.tables[day][cur]
        except KeyError:
            raise NoRate(cur, day) from None

    def days(self):
        return sorted(self.tables)


def day(text):
    return dt.date.fromisoformat(text)
