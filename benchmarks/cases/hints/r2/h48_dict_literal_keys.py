"""A plain dict with Literal keys as the hint, whose values are a union of dicts with Literal keys."""
from typing import Literal, TypeAlias

from graphbus_core import GraphBusNode, subscribe

Day: TypeAlias = Literal["mon", "tue", "wed"]
Shift: TypeAlias = dict[Literal["from", "to"], int]
Rota: TypeAlias = dict[Day, Shift | Literal["off"]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Rota) -> None:
        self.got = payload


GOOD = [
    {},
    {"mon": "off", "tue": {"from": 9, "to": 17}},
    {"wed": {"from": 9}},
]
BAD = [
    {"sun": "off"},
    {"mon": "on"},
    {"tue": {"from": 9, "until": 17}},
    {"tue": {"from": "nine"}},
    {"mon": None},
]
