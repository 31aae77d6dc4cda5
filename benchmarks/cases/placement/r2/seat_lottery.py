# pure
from random import Random

from graphbus_core import GraphBusNode, subscribe


class SeatLottery(GraphBusNode):
    @subscribe("/Seats/Drawn")
    def on(self, payload):
        names = list(payload["names"])
        Random(payload["seed"]).shuffle(names)
        self.publish("/Seats/Given", {"names": names})
