# pure
from decimal import ROUND_HALF_UP, Decimal, localcontext

from graphbus_core import GraphBusNode, subscribe


class TaxRounding(GraphBusNode):
    @subscribe("/Invoice/Net")
    def on_net(self, payload):
        with localcontext() as context:
            context.prec = 12
            context.rounding = ROUND_HALF_UP
            tax = (Decimal(payload["net"]) * Decimal("0.077")).quantize(Decimal("0.05"))
        self.publish("/Invoice/Tax", {"tax": str(tax)})
