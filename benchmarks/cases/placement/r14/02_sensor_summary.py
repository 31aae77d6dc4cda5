# pure
"""All the readings it needs come in one event."""
import math
import statistics
from collections.abc import Sequence

from graphbus_core import GraphBusNode, subscribe

_ROUND = 4


def outliers(values: Sequence[float], factor: float = 1.5) -> list[float]:
    lower, _, upper = statistics.quantiles(values, n=4, method="inclusive")
    margin = factor * (upper - lower)
    return [value for value in values if not lower - margin <= value <= upper + margin]


def trend(values: Sequence[float]) -> float:
    """Slope of the least squares line through the readings."""
    return statistics.linear_regression(range(len(values)), values).slope


class SensorSummary(GraphBusNode):
    minimum = 4

    @subscribe("/Sensor/Window")
    def on_event(self, sensor: str, readings: list[float]) -> dict[str, object]:
        values = [value for value in readings if math.isfinite(value)]
        if len(values) < self.minimum:
            return {"sensor": sensor, "usable": len(values)}
        return {
            "sensor": sensor,
            "usable": len(values),
            "mean": round(statistics.fmean(values), _ROUND),
            "spread": round(statistics.stdev(values), _ROUND),
            "trend": round(trend(values), _ROUND),
            "outliers": outliers(values),
        }
