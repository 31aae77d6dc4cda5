from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from .layout import ROUTES, SPEEDS, TrackSection, conflicts


class ConflictTable(GraphBusNode):
    @subscribe("/Plan/Conflicts")
    def on_ask(self, first: str, second: str) -> dict[str, object]:
        return {"pair": sorted((first, second)), "conflict": second in conflicts(first)}


class RunTimes(GraphBusNode):
    """Seconds to pass each section of a route at its permitted speed."""

    @subscribe("/Plan/RunTime")
    def on_run(self, route: str, metres: int) -> dict[str, float]:
        r = ROUTES[route]
        tracks = [TrackSection(s) for s in r.sections]
        out: dict[str, float] = {}
        for t in tracks:
            kmh = min(SPEEDS[t.ident], r.speed)
            t.train = "sim"
            out[t.ident] = round(metres / (kmh / 3.6), 1)
        out["occupied"] = sum(not t.clear for t in tracks)
        return out
