# pure
"""Keeps nothing but frozen reference ranges, sorted once when the node is made."""
from bisect import bisect_right
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True, order=True)
class Range:
    from_days: int
    low: float
    high: float

    def judge(self, value: float) -> str:
        if value < self.low:
            return "LL" if value < self.low * 0.7 else "L"
        if value > self.high:
            return "HH" if value > self.high * 1.5 else "H"
        return "N"


@dataclass(frozen=True)
class Series:
    ranges: tuple[Range, ...]

    def at(self, age_days: int) -> Range:
        starts = [item.from_days for item in self.ranges]
        return self.ranges[max(bisect_right(starts, age_days) - 1, 0)]


RAW = {
    ("HB", "f"): [(6570, 12.0, 16.0), (0, 13.5, 20.0), (60, 10.0, 13.5), (730, 11.0, 14.5)],
    ("HB", "m"): [(0, 13.5, 20.0), (60, 10.0, 13.5), (730, 11.0, 14.5), (6570, 13.5, 17.5)],
    ("FERR", "f"): [(0, 25.0, 200.0), (180, 7.0, 140.0), (6570, 13.0, 150.0)],
}


class ReferenceNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._series: dict[tuple[str, str], Series] = {}
        for key, rows in RAW.items():
            self._series[key] = Series(tuple(sorted(Range(*row) for row in rows)))

    @subscribe("/Lab/Validated")
    def on_value(self, analyte: str, sex: str, age_days: int, value: float) -> dict[str, object]:
        series = self._series.get((analyte, sex)) or self._series.get((analyte, "f"))
        if series is None:
            return {"analyte": analyte, "flag": "?"}
        found = series.at(age_days)
        return {"analyte": analyte, "flag": found.judge(value), "range": f"{found.low}-{found.high}"}
