"""Bays of a greenhouse: loggers, and the vents in the roof."""
from __future__ import annotations

import csv
import io
from collections import deque
from typing import Iterator, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

LOG = """\
time,bay,air,rel_humidity,soil_moisture
06:00,bay 1,17.5,71,40
06:00,bay 2,18.0,80,33
07:00,bay 1,19.0,68,39
07:00,bay 2,20.5,86,31
07:00,bay 3,20.0,55,60
"""


class Reading(TypedDict):
    bay: str
    air: float
    rel_humidity: float
    soil_moisture: float


def readings(text: str) -> Iterator[tuple[str, Reading]]:
    for row in csv.DictReader(io.StringIO(text)):
        yield row["time"], Reading(
            bay=row["bay"],
            air=float(row["air"]),
            rel_humidity=float(row["rel_humidity"]),
            soil_moisture=float(row["soil_moisture"]),
        )


class ClimateLog(GraphBusNode):
    """The readings by bay, the last of each on top."""

    SYSTEM_PROMPT = "I know the climate of each bay."

    def __init__(self, text: str = LOG):
        super().__init__()
        self.by_bay: dict[str, deque[Reading]] = {}
        for _, reading in readings(text):
            self.by_bay.setdefault(reading["bay"], deque(maxlen=24)).appendleft(reading)

    @schema_method(
        input_schema={"bay": str},
        output_schema={"bay": str, "air": float, "rel_humidity": float, "soil_moisture": float},
    )
    def latest(self, bay: str) -> Reading:
        return self.by_bay[bay][0]

    def driest(self) -> str:
        return min(self.by_bay, key=lambda bay: self.by_bay[bay][0]["soil_moisture"])


class Vents(GraphBusNode):
    """Opens by ten percent for each two of humidity over the goal."""

    SYSTEM_PROMPT = "I move the vents."
    goal = 75.0

    def __init__(self):
        super().__init__()
        self.moved: list[tuple[str, int]] = []

    @depends_on("ClimateLog.latest")
    @schema_method(
        input_schema={"bay": str, "humidity_pct": float},
        output_schema={"bay": str, "open_pct": int},
    )
    def adjust(self, bay, humidity_pct):
        over = max(0.0, humidity_pct - self.goal)
        opened = min(100, int(-(-over // 2)) * 10)
        self.moved.append((bay, opened))
        return {"bay": bay, "open_pct": opened}
