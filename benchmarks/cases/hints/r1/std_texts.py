"""Types of the standard library that are texts in JSON."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import IPv4Address
from pathlib import Path
from uuid import UUID

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Backup:
    started: dt.datetime
    day: dt.date
    folder: Path
    took: dt.timedelta | None = None
    cost: Decimal | None = None
    run: UUID | None = None
    host: IPv4Address | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Backup) -> None: ...


GOOD = [
    {"started": "2026-01-31T23:59:59Z", "day": "2026-01-31", "folder": "/var/backup"},
    {"started": "2026-01-31T23:59:59+02:00", "day": "2024-02-29", "folder": "a", "took": "PT90S", "cost": "1.50"},
    {"started": "2026-01-31T23:59:59Z", "day": "2026-01-31", "folder": "a", "cost": None, "host": "10.0.0.1"},
]
BAD = [
    {"started": "2026-01-31T23:59:59Z", "day": None, "folder": "a"},
    {"started": "2026-01-31T23:59:59Z", "day": "2026-01-31", "folder": ["a"]},
    {"started": "2026-01-31T23:59:59Z", "day": "2026-01-31", "folder": "a", "run": 5},
    {"started": "2026-01-31T23:59:59Z", "day": "2026-01-31", "folder": "a", "cost": {}},
    {"day": "2026-01-31", "folder": "a"},
]
