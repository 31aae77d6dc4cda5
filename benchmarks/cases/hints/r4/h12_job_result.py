from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Success:
    status: Literal["ok"]
    job_id: int
    finished_at: datetime
    result: Any


@dataclass
class Failure:
    status: Literal["failed"]
    job_id: int
    error: ErrorInfo
    retry: bool = False


@dataclass
class ErrorInfo:
    code: int
    message: str
    cause: ErrorInfo | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Success | Failure) -> None: ...


GOOD = [
    {"status": "ok", "job_id": 1, "finished_at": "2024-05-01T10:00:00+00:00", "result": None},
    {"status": "ok", "job_id": 1, "finished_at": "2024-05-01T10:00:00+00:00", "result": {"rows": [1, 2]}},
    {"status": "failed", "job_id": 1, "error": {"code": 5, "message": "disk"}},
    {"status": "failed", "job_id": 1, "retry": True,
     "error": {"code": 5, "message": "disk", "cause": {"code": 7, "message": "io", "cause": None}}},
]
BAD = [
    {"status": "ok", "job_id": 1, "error": {"code": 5, "message": "disk"}},
    {"status": "failed", "job_id": 1, "finished_at": "2024-05-01T10:00:00+00:00", "result": None},
    {"status": "failed", "job_id": 1, "error": "disk"},
    {"status": "failed", "job_id": 1,
     "error": {"code": 5, "message": "disk", "cause": {"code": 7, "message": "io", "cause": {"code": 8}}}},
    {"status": "ok", "job_id": 1, "finished_at": "2024-05-01T10:00:00+00:00"},
]
