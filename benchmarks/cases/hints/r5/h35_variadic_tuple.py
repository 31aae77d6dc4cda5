from dataclasses import dataclass
from typing import Optional, Tuple, Unpack
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Cmd:
    call: tuple[str, *tuple[int, ...]]
    wrap: Optional[Tuple[bool, Unpack[Tuple[str, ...]], bool]] = None
    flat: tuple[*tuple[int, str], float] = (0, "", 0.0)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Cmd) -> None: ...


GOOD = [
    {"call": ["go"]},
    {"call": ["go", 1, 2, 3], "wrap": [True, False]},
    {"call": ["go", 1], "wrap": [True, "a", "b", False], "flat": [1, "x", 2]},
    {"call": ["go"], "wrap": None, "flat": [1, "x", 2.5]},
]
BAD = [
    {"call": []},
    {"call": ["go", "1"]},
    {"call": ["go", 1, "x"]},
    {"call": ["go"], "wrap": [True]},
    {"call": ["go"], "wrap": [True, "a", "b"]},
    {"call": ["go"], "flat": [1, "x"]},
]
