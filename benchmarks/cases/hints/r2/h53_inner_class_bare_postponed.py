"""An inner TypedDict and an inner alias named barely in the handler, under postponed annotations."""
from __future__ import annotations

from typing import Literal, Union

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    class Start(TypedDict):
        cmd: Literal["start"]
        rpm: int

    class Stop(TypedDict):
        cmd: Literal["stop"]

    Command = Union[Start, Stop]

    @subscribe("/Case/In")
    def on(self, payload: Command) -> None:
        self.got = payload


GOOD = [
    {"cmd": "start", "rpm": 900},
    {"cmd": "stop"},
]
BAD = [
    {"cmd": "start"},
    {"cmd": "pause"},
    {"rpm": 900},
    {"cmd": "start", "rpm": "fast"},
]
