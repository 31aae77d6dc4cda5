from __future__ import annotations
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import PurePosixPath
from typing import Annotated, Literal, Optional, TypedDict, Union
from graphbus_core import GraphBusNode, subscribe


class Ping(TypedDict):
    op: Literal["ping"]
    host: IPv4Address


@dataclass
class Read:
    op: Literal["read"]
    path: PurePosixPath
    span: tuple[int, int] | None = None


class Many(TypedDict):
    op: Literal["many"]
    ops: list[Op]


Op = Union[Ping, Read, "Many"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Optional[Annotated[Op, "any op"]]) -> None: ...


GOOD = [
    {"op": "ping", "host": "10.0.0.1"},
    {"op": "read", "path": "/a/b", "span": [1, 2]},
    {"op": "many", "ops": [{"op": "ping", "host": "10.0.0.1"}, {"op": "many", "ops": []}]},
]
BAD = [
    {"op": "ping", "host": "10.0.0.999"},
    {"op": "read", "path": 5},
    {"op": "read", "path": "/a", "span": [1]},
    {"op": "many", "ops": [{"op": "many", "ops": [{"op": "ping"}]}]},
    {"op": "write", "path": "/a"},
    {},
]
