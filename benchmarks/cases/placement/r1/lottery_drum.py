# stateful
import random

from graphbus_core import GraphBusNode, subscribe


class Drum(GraphBusNode):
    """The draw is repeatable for the notary: the seed lies in his safe."""

    def __init__(self):
        super().__init__()
        self._notary = random.Random(20260101)

    @subscribe("/Lottery/Turn")
    def on_turn(self, payload):
        self.publish("/Lottery/Number", {"draw": payload["draw"], "number": self._notary.randint(1, 49)})
