from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from . import stations


class TransitionLevel(GraphBusNode):
    """Flight level from an altitude."""

    @subscribe("/Alt/Level")
    def on_altitude(self, feet: int) -> dict[str, int]:
        corrected = feet + (1013 - stations.latest.qnh) * 27
        return {"level": round(corrected / 100)}


class DensityAltitude(GraphBusNode):
    @subscribe("/Alt/Density")
    def on_report(self, report: str, feet: int) -> int:
        w = stations.decode(report)
        pressure = feet + (1013 - w.get("qnh", 1013)) * 27
        return round(pressure + 120 * (w.get("temp", 15) - (15 - 2 * feet / 1000)))
