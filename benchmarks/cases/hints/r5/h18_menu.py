from dataclasses import dataclass, field
from typing import List, Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Entry:
    label: str
    href: Optional[str] = None
    parent: "Optional[Entry]" = None
    children: List["Entry"] = field(default_factory=list)


@dataclass
class Menu:
    root: Entry
    by_name: dict[str, Entry]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: "Menu") -> None: ...


GOOD = [
    {"root": {"label": "r"}, "by_name": {}},
    {"root": {"label": "r", "children": [{"label": "c", "href": "/"}]}, "by_name": {"c": {"label": "c"}}},
    {"root": {"label": "r", "parent": {"label": "p", "parent": None}}, "by_name": {}},
]
BAD = [
    {"root": {}, "by_name": {}},
    {"root": {"label": "r", "children": [{"href": "/"}]}, "by_name": {}},
    {"root": {"label": "r", "parent": {"label": "p", "parent": "q"}}, "by_name": {}},
    {"root": {"label": "r"}, "by_name": {"c": None}},
    {"root": {"label": "r"}, "by_name": [{"label": "c"}]},
]
