"""Fines grow by the day, up to a ceiling."""

PER_DAY = 20
CEILING = 1000


class Fines:
    def __init__(self, events):
        self.owed = {}
        events.on("loan.overdue", self.charge)

    def charge(self, payload):
        key = payload["member"], payload["book"]
        self.owed[key] = min(CEILING, PER_DAY * payload.get("days", 0))

    def total(self, member):
        return sum(cents for (who, _), cents in self.owed.items() if who == member)
