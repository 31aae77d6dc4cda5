from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe

from network import distance

RATES = {3: Decimal("0.158"), 4: Decimal("0.198"), 5: Decimal("0.219")}


class TollNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Freight/TollRequested")
    def handle(self, start: str, goal: str, axles: int) -> str:
        toll = RATES.get(axles, RATES[5]) * max(distance(start, goal), 0)
        return str(toll.quantize(Decimal("0.01"), ROUND_HALF_UP))
