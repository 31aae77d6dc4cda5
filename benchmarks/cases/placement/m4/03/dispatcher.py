from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

from network import BY_CODE, free_platform
from running import times


class PlatformAssigner(GraphBusNode):
    @subscribe("/Train/Approach")
    def on_approach(self, train: str, station: str) -> dict:
        if station not in BY_CODE:
            return {"train": train, "error": "unknown station"}
        return {"train": train, "platform": free_platform(station)}


class FreightForecast(GraphBusNode):
    @subscribe("/Train/Forecast")
    def on_forecast(self, kind: str, origin: str, target: str, tonnes: int) -> dict:
        return {"minutes": times.minutes(kind, origin, target, tonnes)}
