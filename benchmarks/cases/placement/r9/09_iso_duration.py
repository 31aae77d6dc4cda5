# pure
"""Reads and writes one duration."""
import re
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

SHAPE = re.compile(
    r"P(?:(?P<weeks>\d+)W)?(?:(?P<days>\d+)D)?"
    r"(?:T(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+)S)?)?"
)
SECONDS = {"weeks": 604_800, "days": 86_400, "hours": 3_600, "minutes": 60, "seconds": 1}


@dataclass(order=True)
class Duration:
    total: int

    @classmethod
    def parse(cls, text: str) -> "Duration":
        match = SHAPE.fullmatch(text.strip().upper())
        if match is None or not any(match.groups()):
            raise ValueError(f"not a duration: {text!r}")
        return cls(sum(int(value) * SECONDS[unit] for unit, value in match.groupdict().items() if value))

    def __add__(self, other: "Duration") -> "Duration":
        return Duration(self.total + other.total)

    def __str__(self) -> str:
        rest, parts = self.total, []
        for unit, size in SECONDS.items():
            count, rest = divmod(rest, size)
            if count:
                parts.append(f"{count} {unit if count > 1 else unit[:-1]}")
        return ", ".join(parts) or "nothing"


class IsoDuration(GraphBusNode):
    @subscribe("/Task/Durations")
    def on_durations(self, task: str, durations: list[str]) -> dict[str, object]:
        try:
            parsed = [Duration.parse(text) for text in durations]
        except ValueError as problem:
            return {"task": task, "error": str(problem)}
        total = sum(parsed, Duration(0))
        return {
            "task": task,
            "seconds": total.total,
            "text": str(total),
            "longest": str(max(parsed)) if parsed else None,
        }
