from datetime import date
from typing import Literal, Required, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Identified(TypedDict):
    subscription_id: str


class Seats(TypedDict, total=False):
    included: Required[int]
    extra: int


class SubscriptionPatch(Identified, total=False):
    plan: Literal["free", "team", "enterprise"]
    renews_on: date | None
    seats: Seats
    revision: Required[int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: SubscriptionPatch) -> None: ...


GOOD = [
    {"subscription_id": "s1", "revision": 4},
    {"subscription_id": "s1", "revision": 4, "plan": "team", "seats": {"included": 5}},
    {"subscription_id": "s1", "revision": 4, "renews_on": None, "seats": {"included": 5, "extra": 2}},
    {"subscription_id": "s1", "revision": 4, "renews_on": "2025-01-01"},
]
BAD = [
    {"subscription_id": "s1"},
    {"revision": 4, "plan": "team"},
    {"subscription_id": "s1", "revision": 4, "seats": {"extra": 2}},
    {"subscription_id": "s1", "revision": 4, "plan": None},
    {"subscription_id": "s1", "revision": 4, "renews_on": "next year"},
]
