"""Literal sub-fields: texts, integers, booleans, None, nested Literal aliases."""
from typing import List, Literal, Optional, TypedDict

from graphbus_core import GraphBusNode, subscribe

Low = Literal["low", "lower"]
Level = Literal[Low, "high"]


class Signal(TypedDict):
    level: Level
    bit: Literal[0, 1]
    armed: Literal[True]
    mode: Literal["auto", 7, None]
    history: List[Level]
    hint: Optional[Literal["x"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Signal) -> None: ...


GOOD = [
    {"level": "low", "bit": 0, "armed": True, "mode": "auto", "history": [], "hint": None},
    {"level": "lower", "bit": 1, "armed": True, "mode": 7, "history": ["high", "low"], "hint": "x"},
    {"level": "high", "bit": 1, "armed": True, "mode": None, "history": ["lower"], "hint": None, "extra": 1},
]
BAD = [
    {"level": "medium", "bit": 0, "armed": True, "mode": "auto", "history": [], "hint": None},
    {"level": "low", "bit": 2, "armed": True, "mode": "auto", "history": [], "hint": None},
    {"level": "low", "bit": True, "armed": True, "mode": "auto", "history": [], "hint": None},
    {"level": "low", "bit": 0, "armed": 1, "mode": "auto", "history": [], "hint": None},
    {"level": "low", "bit": 0, "armed": True, "mode": "7", "history": [], "hint": None},
    {"level": "low", "bit": 0, "armed": True, "mode": 7, "history": ["low", "mid"], "hint": None},
]
