# stateful
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

CAPACITY = 200


@dataclass
class Barrel:
    litres: float = 0.0

    def pour(self, litres):
        self.litres, over = min(CAPACITY, self.litres + litres), max(0, self.litres + litres - CAPACITY)
        return over


class Roof(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.barrel = Barrel()

    @subscribe("/Rain/Fell")
    def on_rain(self, payload):
        if over := self.barrel.pour(payload["mm"] * 60):
            self.publish("/Barrel/Overflow", {"litres": over})
