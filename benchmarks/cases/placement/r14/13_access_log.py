# pure
"""A compiled pattern and a parse per line."""
from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, subscribe

_LINE = re.compile(
    r"""
    (?P<host>\S+)\s+\S+\s+(?P<user>\S+)\s+
    \[(?P<stamp>[^\]]+)\]\s+
    "(?P<method>[A-Z]+)\s+(?P<path>\S+)\s+HTTP/[\d.]+"\s+
    (?P<status>\d{3})\s+(?P<size>\d+|-)
    """,
    re.VERBOSE,
)


@dataclass(slots=True, frozen=True)
class Access:
    host: str
    user: str | None
    method: str
    path: str
    status: int
    size: int

    @classmethod
    def parse(cls, line: str) -> Access | None:
        match = _LINE.match(line)
        if match is None:
            return None
        return cls(
            host=match["host"],
            user=None if match["user"] == "-" else match["user"],
            method=match["method"],
            path=match["path"].partition("?")[0],
            status=int(match["status"]),
            size=0 if match["size"] == "-" else int(match["size"]),
        )


class AccessLog(GraphBusNode):
    @subscribe("/Log/Line")
    def on_event(self, line: str) -> dict[str, object]:
        access = Access.parse(line)
        if access is None:
            return {"parsed": False, "line": line[:80]}
        return {"parsed": True, "error": access.status >= 500, **asdict(access)}
