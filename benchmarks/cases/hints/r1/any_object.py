"""Any and object take all there is, null too, but a required key stays required."""

import typing as t

from graphbus_core import GraphBusNode, subscribe


class Log(t.TypedDict):
    level: str
    detail: t.Any
    context: t.Dict[str, object]
    args: t.NotRequired[list]
    extra: t.NotRequired[dict]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Log) -> None:
        self.log = payload


GOOD = [
    {"level": "info", "detail": None, "context": {}},
    {"level": "info", "detail": [1, {"a": "b"}], "context": {"a": None, "b": [1, "x"]}},
    {"level": "", "detail": 0, "context": {"": {}}, "args": [None, 1], "extra": {"a": {"b": False}}},
]
BAD = [
    {"level": "info", "context": {}},
    {"level": "info", "detail": 1, "context": []},
    {"level": "info", "detail": 1, "context": {}, "args": {"0": 1}},
    {"level": "info", "detail": 1, "context": {}, "extra": None},
    {"level": ["info"], "detail": 1, "context": {}},
]
