# stateful
"""Keeps nothing on purpose, but the rules are a map object which the first event uses up."""
import re
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Hit(NamedTuple):
    severity: str
    start: int
    text: str


PATTERNS = [
    ("critical", r"\b(?:panic|segfault|out of memory)\b"),
    ("error", r"\b(?:error|exception|traceback)\b"),
    ("warning", r"\b(?:warn(?:ing)?|deprecated|retry(?:ing)?)\b"),
]
RULES = map(lambda pair: (pair[0], re.compile(pair[1], re.IGNORECASE)), PATTERNS)
ORDER = {name: rank for rank, (name, _) in enumerate(PATTERNS)}


def scan(line: str) -> list[Hit]:
    hits = []
    for severity, pattern in RULES:
        for found in pattern.finditer(line):
            hits.append(Hit(severity, found.start(), found.group(0).lower()))
    return hits


def worst(hits: list[Hit]) -> str:
    if not hits:
        return "info"
    return min(hits, key=lambda h: ORDER[h.severity]).severity


class LogTriage(GraphBusNode):
    @subscribe("/Logs/Line")
    def on_line(self, host: str, line: str) -> dict[str, object]:
        hits = scan(line)
        return {
            "host": host.split(".")[0],
            "severity": worst(hits),
            "words": sorted({h.text for h in hits}),
        }
