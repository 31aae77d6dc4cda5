# pure
"""It counts its cases for a debugger's eye, but no answer ever looks at the count."""
import logging
from collections import Counter
from dataclasses import asdict, dataclass

from graphbus_core import GraphBusNode, subscribe

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())
log.propagate = False


@dataclass
class Verdict:
    colour: str
    score: int
    minutes: int


def pulse_points(pulse, age):
    low, high = (70, 140) if age < 10 else (51, 100)
    if low <= pulse <= high:
        return 0
    return 1 if low - 10 <= pulse <= high + 20 else 3


def oxygen_points(saturation):
    for limit, points in ((96, 0), (94, 1), (92, 2)):
        if saturation >= limit:
            return points
    return 3


SCALE = [(7, "red", 0), (4, "orange", 10), (2, "yellow", 60), (0, "green", 120)]


class Triage(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._seen = Counter()

    @subscribe("/emergency/arrival")
    def on_arrival(self, age: int, pulse: int, saturation: int, conscious: bool) -> dict:
        score = pulse_points(pulse, age) + oxygen_points(saturation)
        if not conscious:
            score += 5
        if age > 75:
            score += 1
        verdict = next(Verdict(c, score, m) for least, c, m in SCALE if score >= least)
        self._seen[verdict.colour] += 1
        log.debug("case %d: %s", sum(self._seen.values()), verdict)
        return asdict(verdict)
