# pure
"""Adds up points of rules that are fixed."""
import logging
from collections import namedtuple

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger("triage")

Rule = namedtuple("Rule", "sign low high points")
RULES = [
    Rule("pulse", 50, 110, 2),
    Rule("pulse", 40, 130, 2),
    Rule("temp", 35.5, 38.5, 1),
    Rule("sat", 94, 101, 3),
]
RED_FLAGS = {"chest pain", "stroke"}
LEVELS = ["green", "yellow", "orange", "red"]


def points(vitals: dict[str, float]) -> dict[str, int]:
    scored: dict[str, int] = {}
    for rule in RULES:
        value = vitals.get(rule.sign)
        if value is not None and not rule.low <= value <= rule.high:
            scored[rule.sign] = scored.get(rule.sign, 0) + rule.points
    return scored


class Triage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.last_level: str | None = None

    @subscribe("/Patient")
    def on_patient(self, age: int, vitals: dict[str, float], complaint: str) -> dict[str, object]:
        scored = points(vitals)
        total = sum(scored.values()) + (age < 2 or age > 75)
        index = min(total // 2, 3)
        if complaint in RED_FLAGS:
            index = max(index, 2)
        level = LEVELS[index]
        self.last_level = level
        log.debug("%s: %s", complaint, level)
        return {"level": level, "why": scored, "minutes": (120, 60, 10, 0)[index]}
