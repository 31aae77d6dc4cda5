"""A union of msgspec Structs told apart by tag_field and tag."""
from typing import Union

import msgspec

from graphbus_core import GraphBusNode, subscribe


class Base(msgspec.Struct, tag_field="kind", kw_only=True):
    at: float


class Deposit(Base, tag="dep"):
    amount: int


class Withdraw(Base, tag="wd"):
    amount: int
    atm: str | None = None


class Close(Base, tag="close"):
    reason: str = "asked"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Union[Deposit, Withdraw, Close]) -> None:
        self.got = payload


GOOD = [
    {"kind": "dep", "at": 1.5, "amount": 100},
    {"kind": "wd", "at": 2, "amount": 100, "atm": "A9"},
    {"kind": "close", "at": 3.25},
]
BAD = [
    {"kind": "Deposit", "at": 1.5, "amount": 100},
    {"at": 1.5, "amount": 100},
    {"kind": "wd", "at": 1.5},
    {"kind": "close", "reason": "asked"},
    {"kind": "dep", "at": 1.5, "amount": "all"},
    {"type": "dep", "at": 1.5, "amount": 100},
]
