# pure
import decimal
from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe


class LoanRate(GraphBusNode):
    """Monthly rate of an annuity loan, rounded as the contract says."""

    @subscribe("/Loan/Asked")
    def on_asked(self, payload):
        with decimal.localcontext() as ctx:
            ctx.prec = payload.get("digits", 12)
            if payload.get("round") == "up":
                ctx.rounding = decimal.ROUND_UP
            monthly = Decimal(payload["yearly"]) / 1200
            factor = (1 + monthly) ** payload["months"]
            rate = Decimal(payload["amount"]) * monthly * factor / (factor - 1)
            cents = rate.quantize(Decimal("0.01"))
        third = Decimal(1) / 3
        self.publish("/Loan/Rate", {"rate": str(cents), "share": str(third)})
