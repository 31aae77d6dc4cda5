# stateful
"""Runs the bidding; the lots are members of an enum and each carries its own bid sheet."""
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

from graphbus_core import GraphBusNode, subscribe

STEPS = [(100, 5), (500, 25), (2000, 100), (10000, 500)]


@dataclass
class BidSheet:
    estimate: int
    reserve: int
    high: int = 0
    holder: str = ""


class Lot(Enum):
    CLOCK = BidSheet(estimate=800, reserve=500)
    CARPET = BidSheet(estimate=2500, reserve=1500)
    TEAPOT = BidSheet(estimate=60, reserve=20)

    @classmethod
    def find(cls, text: str) -> "Lot | None":
        return cls.__members__.get(text.strip().upper())

    def raised(self, bidder: str, amount: int) -> bool:
        sheet = self.value
        if amount < minimum(sheet.high, sheet.reserve // 2):
            return False
        vars(sheet).update(high=amount, holder=bidder)
        return True


def step(amount: int) -> int:
    return next((s for limit, s in STEPS if amount < limit), 1000)


def minimum(high: int, opening: int) -> int:
    return high + step(high) if high else opening


def premium(amount: int) -> str:
    """Hammer price with the buyer's premium."""
    rate = Decimal("0.25") if amount <= 1000 else Decimal("0.20")
    return f"{amount * (1 + rate):.2f}"


class Saleroom(GraphBusNode):
    @subscribe("/Auction/Bid")
    def on_bid(self, lot: str, bidder: str, amount: int) -> dict[str, object]:
        found = Lot.find(lot)
        if found is None:
            return {"accepted": False, "reason": f"no lot {lot}"}
        if not found.raised(bidder, amount):
            return {"accepted": False, "reason": "too low"}
        return {"accepted": True, "reserve_met": amount >= found.value.reserve, "to_pay": premium(amount)}
