# pure
"""A sealed-bid sale is settled within one event, ties by name."""
from __future__ import annotations

from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe


class NoSale(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def ranked(bids: dict[str, int]) -> list[tuple[str, int]]:
    by_name = sorted(bids.items())
    by_name.sort(key=itemgetter(1), reverse=True)
    return by_name


def settle(bids: dict[str, int], reserve: int) -> tuple[str, int, int]:
    serious = {who: b for who, b in bids.items() if b >= reserve}
    if not bids:
        raise NoSale("nobody came")
    if not serious:
        raise NoSale("reserve not met")
    (winner, top), *others = ranked(serious)
    price = max([reserve, *(b for _, b in others)])
    return winner, price, top


class SealedSale(GraphBusNode):
    commission = 0.12

    @subscribe("/sales/closed")
    def on_closed(self, bids: dict[str, int], reserve: int) -> dict:
        try:
            winner, price, top = settle(bids, reserve)
        except NoSale as no:
            return {"sold": False, "reason": no.reason}
        return {
            "sold": True,
            "winner": winner,
            "pays": price,
            "saved": top - price,
            "house": round(price * self.commission, 2),
            "losers": [who for who, _ in ranked(bids) if who != winner],
        }
