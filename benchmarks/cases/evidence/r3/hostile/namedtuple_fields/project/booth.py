from collections import namedtuple

from graphbus_core import GraphBusNode, schema_method, subscribe

Slip = namedtuple("Slip", "ball colour")


class Booth(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.slips = []

    @subscribe("/Lottery/Drawn")
    @schema_method(input_schema={"ball": int, "colour": str})
    def note(self, payload):
        self.slips.append(Slip(**payload))

    def best(self):
        return max(slip.ball for slip in self.slips)
