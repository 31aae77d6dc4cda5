"""Reference intervals of the core laboratory (adult, serum)."""
from __future__ import annotations

from typing import NamedTuple


class Interval(NamedTuple):
    low: float
    high: float
    unit: str

    def scaled(self, factor: float) -> "Interval":
        return self._replace(low=round(self.low * factor, 4), high=round(self.high * factor, 4))


_ADULT: dict[str, Interval] = {
    "K": Interval(3.5, 5.1, "mmol/L"),
    "NA": Interval(136.0, 145.0, "mmol/L"),
    "GLU": Interval(3.9, 5.6, "mmol/L"),
    "CREA": Interval(59.0, 104.0, "umol/L"),
    "CRP": Interval(0.0, 5.0, "mg/L"),
}

FALLBACK = Interval(0.0, 0.0, "")


def interval(analyte: str) -> Interval:
    return _ADULT.get(analyte.upper(), FALLBACK)


def after_lot_change(analyte: str, slope: float) -> Interval:
    code = analyte.upper()
    fresh = interval(code).scaled(slope)
    if code in _ADULT and 0.8 <= slope <= 1.25:
        _ADULT[code] = fresh
    return fresh
