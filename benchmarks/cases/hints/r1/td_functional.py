"""The call form, for keys that are no identifiers."""

from typing import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe

Headers = TypedDict(
    "Headers",
    {
        "content-type": str,
        "from": str,
        "x-retry": NotRequired[int],
        "class": NotRequired[list[str]],
    },
)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Headers) -> None:
        self.headers = payload


GOOD = [
    {"content-type": "text/plain", "from": "ann"},
    {"content-type": "", "from": "", "x-retry": 3},
    {"content-type": "a/b", "from": "bob", "class": ["x"], "x-retry": 0},
]
BAD = [
    {"content_type": "text/plain", "from": "ann"},
    {"content-type": "text/plain"},
    {"content-type": "text/plain", "from": ["ann"]},
    {"content-type": "text/plain", "from": "ann", "x-retry": "3"},
    {"content-type": "text/plain", "from": "ann", "class": "x"},
]
