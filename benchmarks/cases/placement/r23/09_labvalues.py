# pure
"""The cached function depends on its arguments alone and gives a tuple nobody can change."""
from functools import lru_cache, partial

from graphbus_core import GraphBusNode, subscribe

RANGES = {
    ("dog", "ALT"): (10, 109), ("cat", "ALT"): (12, 130), ("dog", "creatinine"): (0.5, 1.6),
    ("cat", "creatinine"): (0.8, 2.4), ("dog", "glucose"): (60, 110), ("cat", "glucose"): (70, 150),
}


@lru_cache(maxsize=64)
def limits(species, analyte, young):
    low, high = RANGES.get((species, analyte), (None, None))
    if low is not None and young:
        high *= 1.2
    return low, high


def flag(low, high, value):
    if low is None:
        return "?"
    if value < low:
        return "L" if value >= low * 0.7 else "LL"
    if value > high:
        return "H" if value <= high * 1.5 else "HH"
    return ""


def flagger(species, age_months):
    lookup = partial(limits, species, young=age_months < 6)
    return lambda analyte, value: flag(*lookup(analyte), value)


class LabValues(GraphBusNode):
    @subscribe("/Lab/Result")
    def on_result(self, species: str, age_months: int, values: dict[str, float]) -> dict:
        mark = flagger(species, age_months)
        marked = {analyte: mark(analyte, value) for analyte, value in values.items()}
        return {"flags": marked, "call_vet": any(len(m) == 2 for m in marked.values())}
