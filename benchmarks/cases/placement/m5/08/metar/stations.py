from __future__ import annotations

from types import SimpleNamespace

from graphbus_core import GraphBusNode, subscribe

from .decoder import decode
from .minima import Minima

latest = SimpleNamespace(qnh=1013)


class ReportReader(GraphBusNode):
    """Decodes one report."""

    @subscribe("/Metar/Decode")
    def on_report(self, report: str) -> dict[str, object]:
        return decode(report)


class Barometer(GraphBusNode):
    @subscribe("/Metar/Pressure")
    def on_report(self, report: str) -> int:
        found = decode(report)
        vars(latest).update((k, v) for k, v in found.items() if k == "qnh")
        return found.get("qnh", 0)


class LandingAdvice(GraphBusNode):
    @subscribe("/Metar/Landing")
    def on_report(self, report: str, category: str) -> str:
        w = decode(report)
        return Minima.of(category).judge(w.get("ceiling", 99999), w.get("gust", 0))
