# stateful
"""A generator that was started in the constructor smooths the gauge and remembers its level between sends."""
from __future__ import annotations

from collections.abc import Generator

from graphbus_core import GraphBusNode, subscribe

DATUM = {"quay": 312, "lock": 287, "mole": 330}
WARN_CM = 640


def damped(weight: float) -> Generator[float, float, None]:
    level = yield 0.0
    estimate = float(level)
    while True:
        level = yield estimate
        estimate += weight * (level - estimate)


def primed(weight: float) -> Generator[float, float, None]:
    machine = damped(weight)
    next(machine)
    return machine


def to_datum(station: str, raw_mm: int) -> float:
    return raw_mm / 10 + DATUM[station]


class TideGauge(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        machines = {station: primed(0.25) for station in DATUM}
        self.smooth = {station: machine.send for station, machine in machines.items()}

    @subscribe("/Harbour/Gauge")
    def on_gauge(self, station: str, raw_mm: int) -> dict[str, object]:
        if station not in DATUM:
            return {"station": station, "error": "unknown gauge"}
        level = self.smooth[station](to_datum(station, raw_mm))
        return {
            "station": station,
            "level_cm": round(level, 1),
            "warning": level > WARN_CM,
        }
