# pure
from bisect import bisect_left
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Rates:
    limits: tuple = (20, 50, 500)
    cents: tuple = (85, 100, 160, 270)

    def find(self, grams):
        return self.cents[bisect_left(self.limits, grams)]


class RateFinder(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.rates = Rates()

    @subscribe("/Letter/Weighed")
    def on(self, payload):
        self.publish("/Letter/Rated", {"cents": self.rates.find(payload["grams"])})
