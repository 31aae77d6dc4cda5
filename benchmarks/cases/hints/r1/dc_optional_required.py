"""Optional[X] without a default: the key must be there, its value may be null."""

import typing
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Session:
    user: typing.Optional[str]
    token: typing.Union[str, None] = field(repr=False)
    ip: typing.Optional[str] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Session) -> None:
        self.session = payload


GOOD = [
    {"user": None, "token": None},
    {"user": "ann", "token": "t", "ip": None},
    {"user": "", "token": None, "ip": "::1"},
]
BAD = [
    {"user": "ann"},
    {"token": None, "ip": None},
    {"user": ["ann"], "token": None},
    {"user": None, "token": 17},
    None,
]
