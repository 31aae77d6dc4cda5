"""Literal of enum members as the tag; tag nested one level down in one branch."""
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal, Union

from graphbus_core import GraphBusNode, subscribe


class Kind(Enum):
    PING = "ping"
    PONG = "pong"
    DATA = "data"


class Ver(IntEnum):
    V1 = 1
    V2 = 2


@dataclass
class Beat:
    kind: Literal[Kind.PING, Kind.PONG]
    seq: int


@dataclass
class DataV1:
    body: str
    kind: Literal[Kind.DATA] = Kind.DATA
    ver: Literal[Ver.V1] = Ver.V1


@dataclass
class DataV2:
    body: list[str]
    ver: Literal[Ver.V2]
    kind: Literal[Kind.DATA] = Kind.DATA


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Union[Beat, Union[DataV1, DataV2]]) -> None: ...


GOOD = [
    {"kind": "ping", "seq": 1},
    {"kind": "data", "body": "b"},
    {"kind": "data", "body": "b", "ver": 1},
    {"kind": "data", "body": ["b"], "ver": 2},
]
BAD = [
    {"kind": "PING", "seq": 1},
    {"kind": "data", "seq": 1},
    {"kind": "data", "body": ["b"], "ver": 1},
    {"kind": "data", "body": "b", "ver": 2},
    {"kind": "pong", "seq": "1"},
    {"kind": "data", "body": "b", "ver": "1"},
]
