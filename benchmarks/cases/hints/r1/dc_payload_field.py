"""A dataclass with one single field, and that is called payload."""

from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method, subscribe


@dataclass
class Parcel:
    payload: dict[str, int]


class Node(GraphBusNode):
    @schema_method(input_schema={"payload": Parcel}, output_schema={"sum": int})
    @subscribe("/Case/In")
    def on(self, payload: Parcel) -> dict:
        self.parcel = payload
        return {"sum": 0}


GOOD = [
    {"payload": {}},
    {"payload": {"payload": 1}},
    {"payload": {"a": 0, "b": -1}},
]
BAD = [
    {},
    {"a": 1},
    {"payload": {"payload": {"a": 1}}},
    {"payload": {"a": 1, "b": None}},
    {"payload": [1]},
]
