from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum, auto
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe


class Queue(StrEnum):
    FAST = auto()
    BULK = auto()
    DEAD_LETTER = "dead-letter"


@dataclass
class Job:
    id: UUID
    task: str
    queue: Queue
    run_at: datetime | None = None
    timeout: timedelta | None = None
    retries: RetryPolicy = field(default_factory=lambda: RetryPolicy())


@dataclass
class RetryPolicy:
    max_attempts: int = 3
    backoff: list[int] = field(default_factory=lambda: [1, 5, 30])


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Job) -> None: ...


GOOD = [
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "mail.send", "queue": "fast"},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "dead-letter", "timeout": "PT5M",
     "run_at": "2024-05-01T10:00:00Z"},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "bulk", "retries": {}},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "bulk",
     "retries": {"max_attempts": 9, "backoff": []}},
]
BAD = [
    {"id": "job-1", "task": "t", "queue": "fast"},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "DEAD_LETTER"},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "bulk", "timeout": "five minutes"},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "bulk", "retries": None},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "task": "t", "queue": "bulk", "retries": {"backoff": [1, 2.5]}},
    {"id": "7b0d9c1e-3f0e-4b51-9d4e-0c5f7d2b8a11", "queue": "bulk"},
]
