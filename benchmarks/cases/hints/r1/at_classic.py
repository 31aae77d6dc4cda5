"""The older spelling: attr.s with auto_attribs, and attr.ib with a type of its own."""

import typing

import attr

from graphbus_core import GraphBusNode, subscribe


@attr.s(auto_attribs=True, slots=True)
class Range:
    low: int
    high: int = 100


@attr.s
class Query:
    metric = attr.ib(type=str)
    window = attr.ib(type=Range)
    labels = attr.ib(type=typing.Dict[str, str], factory=dict)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Query) -> None:
        self.query = payload


GOOD = [
    {"metric": "cpu", "window": {"low": 0}},
    {"metric": "cpu", "window": {"low": -5, "high": 5}, "labels": {}},
    {"metric": "", "window": {"low": 0}, "labels": {"host": "a"}},
]
BAD = [
    {"metric": "cpu"},
    {"metric": "cpu", "window": {"high": 5}},
    {"metric": "cpu", "window": {"low": "0"}},
    {"metric": "cpu", "window": {"low": 0}, "labels": {"host": None}},
    {"metric": 9, "window": {"low": 0}},
]
