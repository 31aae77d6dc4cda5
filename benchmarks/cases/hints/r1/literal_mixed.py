"""Literals of several kinds, nested in an alias, imported by version."""

import sys
from dataclasses import dataclass

if sys.version_info >= (3, 8):
    from typing import Literal
else:
    from typing_extensions import Literal

from graphbus_core import GraphBusNode, subscribe

Base = Literal["low", "high"]
Level = Literal[Base, "off", 7, None]


@dataclass
class Heater:
    level: Level
    mode: "Literal['eco'] | bool" = False


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Heater) -> None: ...


GOOD = [
    {"level": "off"},
    {"level": None, "mode": "eco"},
    {"level": 7, "mode": True},
    {"level": "low", "mode": False},
]
BAD = [
    {"level": "Low"},
    {"level": 8},
    {"level": "7"},
    {"level": "high", "mode": "turbo"},
    {"mode": "eco"},
]
