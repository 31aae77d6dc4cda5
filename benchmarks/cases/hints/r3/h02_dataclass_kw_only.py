"""KW_ONLY marker: required keyword field after a defaulted one."""
from dataclasses import KW_ONLY, dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Job:
    name: str
    retries: int = 3
    _: KW_ONLY
    queue: str
    tags: list[str] = field(default_factory=list)
    weight: float = 1.0


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Job) -> None: ...


GOOD = [
    {"name": "a", "queue": "q"},
    {"name": "a", "queue": "q", "retries": 0, "tags": ["x", "y"], "weight": 2},
    {"name": "", "queue": "", "weight": 0.25, "unrelated": {"k": []}},
    {"queue": "q", "tags": [], "name": "b"},
]
BAD = [
    {"name": "a"},
    {"queue": "q"},
    {"name": "a", "queue": "q", "retries": None},
    {"name": "a", "queue": "q", "retries": "3"},
    {"name": "a", "queue": "q", "tags": ["x", 1]},
    {"name": "a", "queue": "q", "weight": True},
]
