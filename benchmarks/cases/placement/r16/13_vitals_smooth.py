# stateful
"""A suspended generator holds the smoothed level in its own frame."""
from typing import Generator

from graphbus_core import GraphBusNode, subscribe


def exponential(weight: float) -> Generator[float, float, None]:
    level = yield 0.0
    while True:
        sample = yield level
        level += weight * (sample - level)


def started(generator: Generator) -> Generator:
    next(generator)
    return generator


def band(pulse: float) -> str:
    if pulse < 50:
        return "slow"
    return "fast" if pulse > 110 else "usual"


class VitalsSmooth(GraphBusNode):
    _pulse = started(exponential(weight=0.25))

    @subscribe("/Monitor/Pulse")
    def on_pulse(self, bed: str, beats: int) -> dict[str, str]:
        if not 20 <= beats <= 250:
            return {"bed": bed, "pulse": "artefact"}
        smooth = self._pulse.send(float(beats))
        return {"bed": bed, "pulse": f"{smooth:.2f}", "band": band(smooth)}
