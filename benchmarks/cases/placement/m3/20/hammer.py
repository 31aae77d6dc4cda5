from decimal import Decimal

from graphbus_core import GraphBusNode, subscribe

from money import fmt, step


def accept(lot: str, amount: int) -> bool:
    highest = accept.highest.get(lot, 0)
    if amount < highest + step(highest):
        return False
    accept.highest[lot] = amount
    return True


accept.highest = {}


class BidRing(GraphBusNode):
    @subscribe("/Bid")
    def bid(self, lot: str, paddle: int, amount: int) -> dict:
        return {"paddle": paddle, "accepted": accept(lot, amount), "text": fmt(Decimal(amount), "EUR")}


class NextBid(GraphBusNode):
    """Tells the screens what may be called after a given amount."""

    def __init__(self) -> None:
        super().__init__()
        self.currencies = ("EUR", "USD", "CHF")

    @subscribe("/Bid/Ladder")
    def ladder(self, amount: int, rungs: int) -> list[str]:
        out = []
        for _ in range(rungs):
            amount += step(amount)
            out.append(" / ".join(fmt(Decimal(amount), c) for c in self.currencies))
        return out
