"""A tagged union of structs, with a tag field and tags of its own."""

from typing import Union

from msgspec import Struct

from graphbus_core import GraphBusNode, subscribe


class Get(Struct, tag_field="op", tag=str.lower):
    key: str


class Put(Get):
    val: int


class Drop(Struct, tag_field="op", tag="rm"):
    keys: list[str]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Union[Get, Put, Drop]) -> None:
        self.command = payload


GOOD = [
    {"op": "get", "key": "a"},
    {"op": "put", "key": "", "val": 0},
    {"op": "rm", "keys": []},
]
BAD = [
    {"key": "a"},
    {"op": "Get", "key": "a"},
    {"op": "drop", "keys": []},
    {"op": "put", "key": "a"},
    {"op": "rm", "key": "a"},
]
