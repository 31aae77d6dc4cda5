from __future__ import annotations

from network import distance

SPEEDS = {"ICE": 200, "RE": 140, "S": 100, "GZ": 80}


class RunningTimes:
    """Minutes between two stations; worked out once and kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple, float] = {}

    def minutes(self, kind: str, a: str, b: str, load: int) -> float:
        key = (kind, a, b)
        if key not in self._kept:
            v = SPEEDS[kind] * (1 - min(load, 1000) / 4000)
            self._kept[key] = round(distance(a, b) / v * 60, 1)
        return self._kept[key]


class EmptyRunningTimes(RunningTimes):
    def minutes(self, kind: str, a: str, b: str, load: int = 0) -> float:
        return super().minutes(kind, a, b, 0)


times = RunningTimes()
empty_times = EmptyRunningTimes()
