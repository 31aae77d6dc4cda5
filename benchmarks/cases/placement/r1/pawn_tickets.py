# stateful
from graphbus_core import GraphBusNode, subscribe


def numbering(prefix):
    last = 0

    def draw():
        nonlocal last
        last += 1
        return f"{prefix}{last:04}"

    return draw


class PawnShop(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.ticket = numbering("P")

    @subscribe("/Pawn/Offered")
    def on_offered(self, payload):
        self.publish("/Pawn/Taken", {"thing": payload["thing"], "ticket": self.ticket()})
