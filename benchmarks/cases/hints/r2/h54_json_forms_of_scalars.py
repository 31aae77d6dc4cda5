"""datetime, date, time, timedelta, Decimal, UUID, bytes and Path in their usual JSON forms."""
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from typing_extensions import NotRequired, TypedDict

from graphbus_core import GraphBusNode, subscribe


class Backup(TypedDict):
    run: UUID
    started: datetime
    day: NotRequired[date]
    window: NotRequired[time]
    took: NotRequired[timedelta]
    cost: NotRequired[Decimal]
    digest: NotRequired[bytes]
    target: NotRequired[Path]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Backup) -> None:
        self.got = payload


GOOD = [
    {
        "run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01",
        "started": "2024-11-05T23:59:59.5+01:00",
        "day": "2024-11-05",
        "window": "23:00:00",
        "took": "PT1H30M",
        "cost": "0.35",
        "digest": "aGVsbG8=",
        "target": "/mnt/backup/a.tar",
    },
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-11-05T23:59:59Z"},
]
BAD = [
    {"run": "run-1", "started": "2024-11-05T23:59:59Z"},
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-13-45T23:59:59Z"},
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-11-05T23:59:59Z", "took": "a while"},
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-11-05T23:59:59Z", "cost": "a lot"},
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-11-05T23:59:59Z", "digest": [104, 105]},
    {"run": "b5a1d1c0-93e2-4a5b-8f0a-2f0a1c9d7e01", "started": "2024-11-05T23:59:59Z", "target": {"path": "/mnt"}},
]
