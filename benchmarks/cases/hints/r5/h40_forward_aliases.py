from dataclasses import dataclass, field
from typing import Dict, List, Optional, TypeAlias, Union
from graphbus_core import GraphBusNode, subscribe

Json: TypeAlias = Union[None, bool, int, float, str, List["Json"], Dict[str, "Json"]]
IntTree: TypeAlias = "Union[int, List[IntTree]]"
Later: TypeAlias = "list[Thing]"


@dataclass
class Doc:
    data: Json
    tree: "IntTree"
    things: "Later" = field(default_factory=list)
    maybe: Optional["Thing"] = None


@dataclass
class Thing:
    doc: "Doc | None"


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Doc") -> None: ...


GOOD = [
    {"data": None, "tree": 1},
    {"data": {"a": [1, 2.5, True, None, {"b": "c"}]}, "tree": [1, [2, [3, []]]], "things": [{"doc": None}]},
    {"data": "x", "tree": [], "maybe": {"doc": {"data": [], "tree": 2}}},
]
BAD = [
    {"tree": 1},
    {"data": 1, "tree": [1, [2, ["3"]]]},
    {"data": 1, "tree": None},
    {"data": 1, "tree": 1, "things": [{}]},
    {"data": 1, "tree": 1, "maybe": {"doc": {"data": 1, "tree": "2"}}},
    {"data": 1, "tree": 1, "things": [None]},
]
