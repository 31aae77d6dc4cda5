from typing import Literal, Optional, TypedDict
from graphbus_core import GraphBusNode, subscribe


class Free(TypedDict):
    plan: Literal["free"]


class Paid(TypedDict):
    plan: Literal["pro", "team"]
    seats: int
    card: Optional[str]


class Subscription(TypedDict):
    user: str
    current: Free | Paid
    previous: Optional[Free | Paid]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Subscription) -> None: ...


GOOD = [
    {"user": "u", "current": {"plan": "free"}, "previous": None},
    {"user": "u", "current": {"plan": "team", "seats": 3, "card": None}, "previous": {"plan": "free"}},
    {"user": "u", "current": {"plan": "pro", "seats": 1, "card": "c"}, "previous": {"plan": "pro", "seats": 2, "card": "c"}},
]
BAD = [
    {"user": "u", "current": {"plan": "pro"}, "previous": None},
    {"user": "u", "current": {"plan": "team", "seats": 3}, "previous": None},
    {"user": "u", "current": None, "previous": None},
    {"user": "u", "current": {"plan": "free"}, "previous": {"plan": "gold"}},
    {"user": "u", "current": {"plan": "pro", "seats": "many", "card": None}, "previous": None},
    {"user": "u", "current": {}, "previous": None},
]
