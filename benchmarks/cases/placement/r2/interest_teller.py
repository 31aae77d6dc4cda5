# pure
from decimal import ROUND_HALF_EVEN, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe


class InterestTeller(GraphBusNode):
    @subscribe("/Sum/Saved")
    def on(self, payload):
        with localcontext() as context:
            context.prec = 12
            interest = Decimal(payload["sum"]) * Decimal("0.0175")
            rounded = interest.quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN)
        self.publish("/Interest/Told", {"interest": str(rounded)})
