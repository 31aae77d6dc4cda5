"""The payload has a field that is called payload, beside others."""

from typing import Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Reading(TypedDict):
    sensor: str
    value: float


class Frame(TypedDict):
    kind: Literal["reading"]
    payload: Reading


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Frame) -> None:
        self.frame = payload


GOOD = [
    {"kind": "reading", "payload": {"sensor": "t1", "value": 20.5}},
    {"kind": "reading", "payload": {"sensor": "", "value": -4}},
    {"kind": "reading", "payload": {"sensor": "t1", "value": 0.0}},
]
BAD = [
    {"sensor": "t1", "value": 20.5},
    {"kind": "reading", "payload": {"kind": "reading", "payload": {"sensor": "t1", "value": 20.5}}},
    {"payload": {"sensor": "t1", "value": 20.5}},
    {"kind": "reading", "payload": {"sensor": "t1"}},
    {"kind": "event", "payload": {"sensor": "t1", "value": 20.5}},
]
