from typing import TypeAlias

from graphbus_core import GraphBusNode, subscribe

Scalar: TypeAlias = bool | float | str
Flags: TypeAlias = dict[str, Scalar | list[Scalar]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Flags) -> None: ...


GOOD = [
    {"dark_mode": True, "ratio": 0.25, "theme": "blue"},
    {"cohorts": ["a", "b", 3.5, False], "limit": 10},
    {"cohorts": []},
]
BAD = [
    {"dark_mode": None},
    {"cohorts": [["a"]]},
    {"cohorts": [None]},
    {"nested": {"a": True}},
]
