"""Bed plan of the ward."""
from __future__ import annotations

from dataclasses import dataclass, field

ROOMS = (
    ("A1", 2, False),
    ("A2", 2, False),
    ("ISO1", 1, True),
    ("ISO2", 1, True),
)


@dataclass
class Room:
    name: str
    size: int
    isolation: bool
    patients: list[str] = field(default_factory=list)

    def has_space(self) -> bool:
        return len(self.patients) < self.size


class Plan:
    def __init__(self, rooms: tuple) -> None:
        self.rooms = [Room(*row) for row in rooms]

    def place(self, patient: str, isolate: bool) -> str | None:
        for room in self.rooms:
            if room.isolation == isolate and room.has_space():
                room.patients.append(patient)
                return room.name
        return None

    def capacity(self, isolate: bool) -> int:
        return sum(r.size for r in self.rooms if r.isolation == isolate)

    def whereabouts(self, patient: str) -> str:
        return next((r.name for r in self.rooms if patient in r.patients), "unknown")


plan = Plan(ROOMS)
