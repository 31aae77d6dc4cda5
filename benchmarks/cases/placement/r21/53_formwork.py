# pure
"""Keeps a table that the first event builds, out of constants only, so that it never differs."""
from graphbus_core import GraphBusNode, subscribe

TABLE = None
TEMPS = (5, 10, 15, 20, 25, 30)
CEMENT = {"32.5N": 1.35, "42.5R": 1.0, "52.5R": 0.8}
PART = {"wall": 1, "slab": 5, "beam": 8, "column": 2}


def build():
    t = {}
    for c in CEMENT:
        for p in PART:
            for temp in TEMPS:
                days = PART[p] * CEMENT[c] * 20.0 / (temp + 5.0)
                t[(c, p, temp)] = max(1, int(days + 0.5))
    return t


def table():
    global TABLE
    if TABLE is None:
        TABLE = build()
    return TABLE


def nearest(temp):
    best = TEMPS[0]
    for t in TEMPS:
        if t <= temp:
            best = t
    return best


class FormworkNode(GraphBusNode):
    @subscribe("/Site/Poured")
    def on_pour(self, part: str, cement: str, mean_temp: float) -> dict[str, object]:
        if mean_temp < 5:
            return {"part": part, "strip_after_days": None, "note": "frost, ask engineer"}
        key = (cement, part, nearest(mean_temp))
        if key not in table():
            return {"part": part, "strip_after_days": None, "note": "not in table"}
        return {"part": part, "strip_after_days": table()[key], "note": ""}
