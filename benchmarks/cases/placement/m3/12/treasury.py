import rates
from graphbus_core import GraphBusNode, subscribe


class RateBoard(GraphBusNode):
    """The treasury announces a new rate in the morning."""

    @subscribe("/Treasury/Rate")
    def announce(self, kind: str, percent: float) -> dict:
        fresh = {**rates.RATES, kind: percent}
        setattr(rates, "RATES", fresh)
        return {"kind": kind, "percent": percent}
