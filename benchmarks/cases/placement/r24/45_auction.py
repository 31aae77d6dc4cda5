# stateful
"""Standing bids live in a heap closed over by the function that judges a bid."""
import heapq
from graphbus_core import GraphBusNode, subscribe

STEPS = [(100, 5), (500, 25), (10_000, 100)]


def increment(price):
    for limit, step in STEPS:
        if price < limit:
            return step
    return 500


def open_book(reserve):
    standing = {}

    def judge(lot, bidder, amount):
        heap = standing.setdefault(lot, [])
        if heap:
            top = -heap[0][0]
            if amount < top + increment(top):
                return False, top, heap[0][1]
        elif amount < reserve:
            return False, reserve, None
        heapq.heappush(heap, (-amount, bidder))
        return True, amount, bidder

    return judge


class AuctionRoom(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.judge = open_book(reserve=95)

    @subscribe("/room/bid")
    def on_bid(self, lot: str, bidder: str, amount: int) -> dict:
        taken, price, leader = self.judge(lot, bidder, amount)
        return {
            "lot": lot,
            "accepted": taken,
            "price": price,
            "leader": leader,
            "ask": price + increment(price),
        }
