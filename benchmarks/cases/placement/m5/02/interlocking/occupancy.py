from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from .layout import ROUTES, section


class AxleCounter(GraphBusNode):
    """Reports of the axle counters."""

    @subscribe("/Track/Enter")
    def on_enter(self, train: str, track: str) -> dict[str, str]:
        section(track).train = train
        return {"ack": track, "train": train}

    @subscribe("/Track/Leave")
    def on_leave(self, track: str) -> dict[str, str]:
        section(track).train = None
        return {"ack": track, "train": ""}


class RouteSetter(GraphBusNode):
    @subscribe("/Route/Request")
    def on_request(self, route: str) -> dict[str, object]:
        wanted = ROUTES.get(route)
        if wanted is None:
            return {"route": route, "granted": False, "why": "unknown"}
        blocked = [s for s in wanted.sections if not section(s).clear]
        return {"route": route, "granted": not blocked, "why": ",".join(blocked)}
