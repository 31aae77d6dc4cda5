"""The payload's class is an inner class of the node, named with dots in quotes, with its own inner class."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class Node(GraphBusNode):
    @dataclass
    class Frame:
        @dataclass
        class Header:
            seq: int
            source: str

        header: Header
        data: list[int]
        prev: "Node.Frame.Header | None" = None

    @subscribe("/Case/In")
    def on(self, payload: "Node.Frame") -> None:
        self.got = payload


GOOD = [
    {"header": {"seq": 1, "source": "cam"}, "data": []},
    {"header": {"seq": 1, "source": "cam"}, "data": [1, 2], "prev": {"seq": 0, "source": "cam"}},
]
BAD = [
    {"seq": 1, "source": "cam", "data": []},
    {"header": {"seq": 1}, "data": []},
    {"header": {"seq": 1, "source": "cam"}, "data": [0.5]},
    {"header": {"seq": 1, "source": "cam"}, "data": [], "prev": {"seq": "first", "source": "cam"}},
]
