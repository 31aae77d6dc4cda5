# pure
"""Letters by weight."""

from graphbus_core import GraphBusNode, subscribe

RATES = [(20, 85), (50, 100), (500, 160)]
SURCHARGE = {"express": 450}


class Postage(GraphBusNode):
    @subscribe("/Letter/Weighed")
    def on_weighed(self, payload):
        cents = next((c for grams, c in RATES if payload["grams"] <= grams), 270)
        cents += SURCHARGE.get(payload.get("service"), 0)
        self.publish("/Letter/Priced", {"cents": cents})
