import decimal

from graphbus_core import GraphBusNode, subscribe


class PrecisionPanel(GraphBusNode):
    """The operator turns the number of digits up or down."""

    LIMITS = (2, 28)

    @subscribe("/Panel/Digits")
    def digits(self, wanted: int) -> dict:
        low, high = self.LIMITS
        value = max(low, min(high, wanted))
        decimal.getcontext().prec = value
        return {"digits": value, "clipped": value != wanted}
