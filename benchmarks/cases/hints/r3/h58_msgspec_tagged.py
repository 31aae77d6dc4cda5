"""msgspec structs told apart by a tag field which no struct declares."""
from typing import Union

import msgspec

from graphbus_core import GraphBusNode, subscribe


class Get(msgspec.Struct, tag_field="op", tag="get"):
    key: str


class Put(msgspec.Struct, tag_field="op", tag="put"):
    key: str
    value: Union[int, str, None]
    ttl: float = 0.0


class Many(msgspec.Struct, tag_field="op", tag=str.lower):
    ops: list[Union[Get, Put]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Union[Get, Put, Many]) -> None: ...


GOOD = [
    {"op": "get", "key": "k"},
    {"op": "put", "key": "k", "value": None, "ttl": 5},
    {"op": "many", "ops": [{"op": "get", "key": "k"}, {"op": "put", "key": "k", "value": 1}]},
    {"op": "many", "ops": [], "note": True},
]
BAD = [
    {"op": "del", "key": "k"},
    {"op": "put", "key": "k"},
    {"key": "k"},
    {"op": "many", "ops": [{"op": "many", "ops": []}]},
    {"op": "put", "key": "k", "value": 1.5},
    {"op": "get", "key": 1},
]
