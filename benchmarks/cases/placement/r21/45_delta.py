# stateful
"""Keeps the previous value of every patient behind a protocol, to compare the new one with it."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, slots=True)
class Reading:
    patient: str
    analyte: str
    value: float

    @property
    def key(self) -> tuple[str, str]:
        return self.patient, self.analyte


class Archive(Protocol):
    def exchange(self, reading: Reading) -> Reading | None: ...


class NoArchive:
    def exchange(self, reading: Reading) -> Reading | None:
        return None


class BufferedArchive:
    def __init__(self, upstream: Archive) -> None:
        self.upstream = upstream
        self.buffer: dict[tuple[str, str], Reading] = {}

    def exchange(self, reading: Reading) -> Reading | None:
        earlier = self.buffer.get(reading.key) or self.upstream.exchange(reading)
        self.buffer[reading.key] = reading
        return earlier


LIMITS = {"K": 0.20, "HB": 0.25}


class DeltaCheck(GraphBusNode):
    def __init__(self, archive: Archive | None = None) -> None:
        super().__init__()
        self.archive: Archive = archive or BufferedArchive(NoArchive())

    @subscribe("/Lab/Result")
    def on_result(self, patient: str, analyte: str, value: float) -> dict[str, object]:
        reading = Reading(patient, analyte, value)
        earlier = self.archive.exchange(reading)
        if earlier is None or earlier.value == 0:
            return {"patient": patient, "plausible": True}
        change = abs(value - earlier.value) / earlier.value
        return {"patient": patient, "plausible": change <= LIMITS.get(analyte, 0.5)}
