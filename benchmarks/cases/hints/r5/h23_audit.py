from dataclasses import dataclass
from typing import Any, Optional
from graphbus_core import GraphBusNode, subscribe


@dataclass
class Change:
    path: list[str]
    before: Any
    after: object


@dataclass
class Audit:
    actor: Optional[str]
    changes: list[Change]
    context: dict
    raw: list


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Audit) -> None: ...


GOOD = [
    {"actor": None, "changes": [], "context": {}, "raw": []},
    {"actor": "a", "changes": [{"path": ["x", "y"], "before": None, "after": 1}], "context": {"k": [1]}, "raw": [1, "a", None]},
    {"actor": "a", "changes": [{"path": [], "before": {"q": []}, "after": None}], "context": {"k": None}, "raw": [{}]},
]
BAD = [
    {"changes": [], "context": {}, "raw": []},
    {"actor": "a", "changes": [{"path": ["x"], "after": 1}], "context": {}, "raw": []},
    {"actor": "a", "changes": [{"path": ["x", 0], "before": 1, "after": 1}], "context": {}, "raw": []},
    {"actor": "a", "changes": [], "context": [], "raw": []},
    {"actor": "a", "changes": [], "context": {}, "raw": {}},
    {"actor": "a", "changes": [], "context": None, "raw": []},
]
