# pure
"""Compound interest, rounded half up to cents."""
from graphbus_core import GraphBusNode, subscribe
from decimal import ROUND_HALF_UP, Decimal, localcontext

CENT = Decimal("0.01")


class InterestNode(GraphBusNode):
    @subscribe("/In")
    def on_interest(self, event):
        with localcontext() as ctx:
            ctx.prec = 40
            ctx.rounding = ROUND_HALF_UP
            value = Decimal(event["principal"]) * (1 + Decimal(event["rate"])) ** event["years"]
            value = value.quantize(CENT)
        return {"value": str(value), "total": int(value * 100)}
