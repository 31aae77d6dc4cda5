from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, FrozenSet, Literal, Mapping

from graphbus_core import GraphBusNode, subscribe

Scope = Literal["read", "write", "admin"]


@dataclass(frozen=True)
class Actor:
    id: int
    scopes: FrozenSet[Scope]


@dataclass(frozen=True)
class AuditEntry:
    SCHEMA: ClassVar[int] = 2

    actor: Actor
    action: str
    at: datetime
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: AuditEntry) -> None: ...


GOOD = [
    {"actor": {"id": 1, "scopes": []}, "action": "login", "at": "2024-05-01T10:00:00+00:00",
     "before": None, "after": None},
    {"actor": {"id": 1, "scopes": ["admin", "read"]}, "action": "edit", "at": "2024-05-01T10:00:00+00:00",
     "before": {"x": 1}, "after": {"x": None, "y": [True]}},
    {"actor": {"id": 1, "scopes": ["write"]}, "action": "edit", "at": "2024-05-01T10:00:00+00:00",
     "before": {}, "after": {}, "SCHEMA": "v3"},
]
BAD = [
    {"actor": {"id": 1, "scopes": ["root"]}, "action": "login", "at": "2024-05-01T10:00:00+00:00",
     "before": None, "after": None},
    {"actor": {"id": 1, "scopes": "read"}, "action": "login", "at": "2024-05-01T10:00:00+00:00",
     "before": None, "after": None},
    {"actor": {"id": 1, "scopes": []}, "action": "login", "at": "2024-05-01T10:00:00+00:00", "before": None},
    {"actor": {"id": 1, "scopes": []}, "action": "login", "at": "2024-05-01T10:00:00+00:00",
     "before": ["x"], "after": None},
    {"actor": 1, "action": "login", "at": "2024-05-01T10:00:00+00:00", "before": None, "after": None},
]
