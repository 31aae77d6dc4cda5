# pure
"""Keeps nothing: the filter is a generator primed inside the call and thrown away after it."""
import statistics
from collections import deque
from collections.abc import Generator, Iterable

from graphbus_core import GraphBusNode, subscribe

PRESETS = {"soft": (5, 0.2), "medium": (3, 0.5), "sharp": (1, 0.9)}


def median_window(size: int) -> Generator[float, float, None]:
    window: deque[float] = deque(maxlen=size)
    value = 0.0
    while True:
        window.append((yield value))
        value = statistics.median(window)


def low_pass(alpha: float) -> Generator[float, float, None]:
    value = yield 0.0
    while True:
        value += alpha * ((yield value) - value)


def run(samples: Iterable[float], preset: str) -> list[float]:
    size, alpha = PRESETS[preset]
    stages = [median_window(size), low_pass(alpha)]
    for stage in stages:
        next(stage)
    output = []
    for sample in samples:
        for stage in stages:
            sample = stage.send(sample)
        output.append(round(sample, 4))
    return output


class SignalFilter(GraphBusNode):
    @subscribe("/Ecg/Strip")
    def on_strip(self, patient: str, samples: list[float], preset: str) -> dict[str, object]:
        if preset not in PRESETS or not samples:
            return {"patient": patient, "strip": []}
        strip = run(samples, preset)
        return {"patient": patient, "strip": strip, "peak": max(strip), "mean": round(statistics.fmean(strip), 4)}
