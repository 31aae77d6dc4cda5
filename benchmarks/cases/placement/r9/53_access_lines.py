# pure
"""Parses log lines that all come in the event."""
import re
from collections import defaultdict

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(
    r'(?P<host>\S+) \S+ (?P<user>\S+) \[[^\]]*\] "(?P<verb>[A-Z]+) (?P<path>\S+)[^"]*" (?P<status>\d{3}) (?P<size>\d+|-)'
)


def parse(line: str) -> dict[str, str] | None:
    match = LINE.match(line)
    return match.groupdict() if match else None


def area(path: str) -> str:
    first = path.split("?")[0].strip("/").split("/")[0]
    return first or "home"


def family(status: str) -> str:
    return f"{status[0]}xx"


class AccessLines(GraphBusNode):
    @subscribe("/Logs/Batch")
    def on_batch(self, host: str, lines: list[str]) -> dict[str, object]:
        statuses: dict[str, int] = defaultdict(int)
        traffic: dict[str, int] = defaultdict(int)
        rejected = 0
        for line in lines:
            entry = parse(line)
            if entry is None:
                rejected += 1
                continue
            statuses[family(entry["status"])] += 1
            traffic[area(entry["path"])] += int(entry["size"]) if entry["size"] != "-" else 0
        return {
            "host": host,
            "statuses": dict(sorted(statuses.items())),
            "traffic": dict(sorted(traffic.items())),
            "rejected": rejected,
        }
