"""A tuple with an unpacked variadic part: a text, any count of floats, then a closing literal."""
from typing import Literal

from typing_extensions import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Table(TypedDict):
    header: tuple[str, *tuple[str, ...]]
    rows: list[tuple[str, *tuple[float, ...], Literal["end"]]]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Table) -> None:
        self.got = payload


GOOD = [
    {"header": ["name"], "rows": []},
    {"header": ["name", "a", "b"], "rows": [["x", "end"], ["y", 1, 2.5, 3.5, "end"]]},
]
BAD = [
    {"header": [], "rows": []},
    {"header": ["name"], "rows": [["x"]]},
    {"header": ["name"], "rows": [["x", 1, 2.5]]},
    {"header": ["name"], "rows": [["x", "y", "end"]]},
    {"header": ["name", 3], "rows": []},
]
