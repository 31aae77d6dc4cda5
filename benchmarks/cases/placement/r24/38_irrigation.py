# pure
"""The intermediate results sit on the node, but each is written before it is read in the same event."""
import math

from graphbus_core import GraphBusNode, subscribe

KC = {
    ("maize", "early"): 0.3, ("maize", "mid"): 1.2, ("maize", "late"): 0.6,
    ("potato", "early"): 0.5, ("potato", "mid"): 1.15, ("potato", "late"): 0.75,
}
RADIATION = 16.4  # mm/day equivalent, mid-summer, fifty degrees north
EFFICIENCY = 0.85


class IrrigationPlanner(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.et0 = 0.0
        self.need = 0.0
        self.remarks = []

    def _hargreaves(self, lo, hi):
        mean = (lo + hi) / 2
        self.et0 = 0.0023 * RADIATION * (mean + 17.8) * math.sqrt(max(hi - lo, 0.0))

    def _demand(self, crop, stage):
        factor = KC.get((crop, stage))
        if factor is None:
            self.remarks.append(f"no coefficient for {crop}/{stage}, using grass")
            factor = 1.0
        self.need = self.et0 * factor

    def _subtract_rain(self, rain):
        effective = 0.8 * rain if rain > 2 else 0.0
        if effective > self.need:
            self.remarks.append("rain covers the day")
        self.need = max(self.need - effective, 0.0)

    @subscribe("/field/day")
    def on_day(self, crop: str, stage: str, t_min: float, t_max: float, rain_mm: float) -> dict:
        self.remarks = []
        self._hargreaves(t_min, t_max)
        self._demand(crop, stage)
        self._subtract_rain(rain_mm)
        return {
            "et0": round(self.et0, 2),
            "irrigate_mm": round(self.need / EFFICIENCY, 1),
            "remarks": list(self.remarks),
        }
