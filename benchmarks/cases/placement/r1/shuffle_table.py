# pure
import random

from graphbus_core import GraphBusNode, subscribe


class ShuffleTable(GraphBusNode):
    """Who sits where; the same evening always gives the same tables."""

    @subscribe("/Dinner/Guests")
    def on_guests(self, payload):
        dice = random.Random(payload["evening"])
        guests = payload["guests"].copy()
        dice.shuffle(guests)
        self.publish("/Dinner/Tables", {"tables": [guests[i::2] for i in (0, 1)]})
