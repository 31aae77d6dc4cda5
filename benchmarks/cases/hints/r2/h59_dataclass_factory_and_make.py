"""Dataclasses made otherwise: a dataclass decorator kept under a name, and make_dataclass."""
from dataclasses import dataclass, field, make_dataclass
from functools import partial
from typing import Final, Literal

from graphbus_core import GraphBusNode, subscribe

value_object = partial(dataclass, frozen=True, kw_only=True)

Money = make_dataclass(
    "Money",
    [("cents", int), ("currency", Literal["EUR", "USD"], field(default="EUR")), ("memo", "str | None", None)],
    frozen=True,
)


@value_object()
class Refund:
    reason: str = "other"
    amount: Money
    attempt: Final[int]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Refund) -> None:
        self.got = payload


GOOD = [
    {"amount": {"cents": 100}, "attempt": 1},
    {"reason": "late", "amount": {"cents": 100, "currency": "USD", "memo": "m"}, "attempt": 2},
]
BAD = [
    {"amount": {"cents": 100}},
    {"amount": {"currency": "EUR"}, "attempt": 1},
    {"amount": {"cents": 100, "currency": "GBP"}, "attempt": 1},
    {"amount": {"cents": 100, "memo": 4}, "attempt": 1},
    {"amount": 100, "attempt": 1},
]
