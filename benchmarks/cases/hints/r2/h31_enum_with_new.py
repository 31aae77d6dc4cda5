"""Enum whose members carry a label by __new__, so the JSON value is _value_, not the tuple."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Currency(Enum):
    label: str

    def __new__(cls, code: str, label: str) -> Currency:
        obj = object.__new__(cls)
        obj._value_ = code
        obj.label = label
        return obj

    EUR = "eur", "Euro"
    USD = "usd", "US Dollar"
    YEN = "jpy", "Yen"
    JPY = "jpy", "Yen"


@dataclass(frozen=True)
class Quote:
    pair: tuple[Currency, Currency]
    rate: float


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Quote) -> None:
        self.got = payload


GOOD = [
    {"pair": ["eur", "usd"], "rate": 1.1},
    {"pair": ["jpy", "jpy"], "rate": 1},
]
BAD = [
    {"pair": ["Euro", "US Dollar"], "rate": 1.1},
    {"pair": ["eur"], "rate": 1.1},
    {"pair": ["YEN", "usd"], "rate": 1.1},
    {"pair": [["eur", "Euro"], ["usd", "US Dollar"]], "rate": 1.1},
    {"pair": ["eur", "usd", "jpy"], "rate": 1.1},
]
