"""One stamp for each guest at the table."""
from collections import Counter


class Loyalty:
    def __init__(self, bus):
        self.points = Counter()
        bus.subscribe("table.closed", self.on_closed)

    def on_closed(self, payload):
        card = payload.get("card")
        if not card:
            return
        guests = payload.get("guests", 0)
        self.points[card] += guests
