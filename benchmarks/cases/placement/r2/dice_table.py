# stateful
from random import Random

from graphbus_core import GraphBusNode, subscribe


class DiceTable(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.dice = Random(7)

    @subscribe("/Dice/Thrown")
    def on(self, payload):
        self.publish("/Dice/Fell", {"eyes": self.dice.randint(1, 10**9)})
