# pure
"""Estimates timber volume; the memo on the node is keyed by everything the result depends on."""
from bisect import bisect_right
from math import pi
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Taper(NamedTuple):
    form: float
    bark: float


SPECIES = {"spruce": Taper(0.49, 0.06), "pine": Taper(0.46, 0.09), "beech": Taper(0.52, 0.04), "oak": Taper(0.50, 0.11)}
CLASS_LIMITS = [10, 15, 20, 25, 30, 35, 40, 50, 60]
CLASS_NAMES = ["0", "1a", "1b", "2a", "2b", "3a", "3b", "4", "5", "6"]
EUR_PER_M3 = {"spruce": 92, "pine": 71, "beech": 84, "oak": 240}


def diameter_class(cm: int) -> str:
    return CLASS_NAMES[bisect_right(CLASS_LIMITS, cm)]


def stem_volume(taper: Taper, cm: int, metres: float) -> float:
    radius = cm * (1 - taper.bark) / 200
    return pi * radius * radius * metres * taper.form


class TimberCruise(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._volumes: dict[tuple[str, int, float], float] = {}

    def _volume(self, species: str, cm: int, metres: float) -> float:
        key = (species, cm, metres)
        found = self._volumes.get(key)
        if found is None:
            found = self._volumes[key] = stem_volume(SPECIES[species], cm, metres)
        return found

    @subscribe("/Forest/Plot")
    def on_plot(self, plot: str, area_ha: float, trees: list[list]) -> dict[str, object]:
        per_class: dict[str, float] = {}
        value = 0.0
        for species, cm, metres in trees:
            if species not in SPECIES:
                continue
            volume = self._volume(species, int(cm), float(metres))
            name = diameter_class(int(cm))
            per_class[name] = per_class.get(name, 0.0) + volume
            value += volume * EUR_PER_M3[species]
        stock = sum(per_class.values()) / area_ha
        return {
            "plot": plot,
            "m3_per_ha": round(stock, 2),
            "classes": {k: round(v, 3) for k, v in sorted(per_class.items())},
            "value": round(value, 2),
        }
