# stateful
"""Keeps the load of each lane on the members of the enumeration."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Lane(Enum):
    EXPRESS = ("express", 3)
    NORMAL = ("normal", 8)
    BULK = ("bulk", 20)

    def __init__(self, label: str, room: int) -> None:
        self.label = label
        self.room = room
        self.load = 0

    def fits(self, job: Job) -> bool:
        return self.load + job.size <= self.room


@dataclass(frozen=True)
class Job:
    title: str
    size: int
    rush: bool

    def preferred(self) -> list[Lane]:
        lanes = [Lane.NORMAL, Lane.BULK]
        return [Lane.EXPRESS, *lanes] if self.rush else lanes


@dataclass(frozen=True)
class Placement:
    title: str
    lane: str


def place(job: Job) -> Placement:
    for lane in job.preferred():
        if lane.fits(job):
            lane.load += job.size
            return Placement(job.title, lane.label)
    return Placement(job.title, "overflow")


class Planner(GraphBusNode):
    @subscribe("/print/job")
    def on_job(self, title: str, size: int, rush: bool) -> Placement:
        return place(Job(title, max(1, size), rush))
