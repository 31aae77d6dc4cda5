import math
from bisect import bisect_right
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

_SLOPE = ((0.0, 54.20), (10.0, 56.18), (20.0, 58.17), (25.0, 59.16), (30.0, 60.15), (40.0, 62.13))
_WORDS = {range(0, 6): "acid", range(6, 8): "neutral", range(8, 15): "alkaline"}


@lru_cache(maxsize=64)
def slope_at(celsius: float) -> float:
    temps = [t for t, _ in _SLOPE]
    i = min(max(bisect_right(temps, celsius), 1), len(_SLOPE) - 1)
    (t0, s0), (t1, s1) = _SLOPE[i - 1], _SLOPE[i]
    return s0 + (s1 - s0) * (celsius - t0) / (t1 - t0)


class PhProbe(GraphBusNode):
    @subscribe("/Probe/Ph")
    def convert(self, millivolts: float, celsius: float) -> dict:
        ph = 7.0 - millivolts / slope_at(round(celsius, 1))
        ph = min(max(ph, 0.0), 14.0)
        word = next(w for r, w in _WORDS.items() if math.floor(ph) in r)
        return {"ph": round(ph, 2), "word": word}
