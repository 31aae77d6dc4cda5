"""A tree of itself by quoted names."""
from dataclasses import dataclass, field
from typing import Dict, List, Optional

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Branch:
    label: str
    children: List["Branch"] = field(default_factory=list)
    named: Dict[str, "Branch"] = field(default_factory=dict)
    parent: Optional["Branch"] = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Branch) -> None: ...


GOOD = [
    {"label": "root"},
    {"label": "root", "children": [{"label": "a"}, {"label": "b", "children": [{"label": "c"}]}]},
    {"label": "root", "named": {"x": {"label": "x", "named": {"y": {"label": "y"}}}}, "parent": None},
    {"label": "leaf", "parent": {"label": "p", "parent": {"label": "gp"}}},
]
BAD = [
    {"children": []},
    {"label": "root", "children": [{"label": "a", "children": [{"label": 3}]}]},
    {"label": "root", "children": {"label": "a"}},
    {"label": "root", "named": {"x": {"label": "x", "named": {"y": {}}}}},
    {"label": "root", "children": [None]},
    {"label": "leaf", "parent": {"label": "p", "parent": "gp"}},
]
