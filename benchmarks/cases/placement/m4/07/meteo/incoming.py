import logging

from graphbus_core import GraphBusNode, subscribe

from .sensors import offsets, recalibrate, smoother

logger = logging.getLogger("meteo.incoming")


class Thermometer(GraphBusNode):
    @subscribe("/wx/temperature")
    def on_value(self, station: str, raw: float) -> dict:
        if station not in offsets:
            return {"error": "no such station"}
        return {"station": station, "t": round(raw + offsets[station], 2)}


class Technician(GraphBusNode):
    @subscribe("/wx/service")
    def on_visit(self, station: str, reference: float, shown: float) -> str:
        recalibrate(station, reference - shown)
        logger.info("recalibrated %s", station)
        return "thank you"


class WindTrend(GraphBusNode):
    smooth = staticmethod(smoother(0.3))

    @subscribe("/wx/wind")
    def on_wind(self, speed: float) -> float:
        return self.smooth(speed)


class GustProfile(GraphBusNode):
    """A whole burst of samples at once."""

    @subscribe("/wx/burst")
    def on_burst(self, samples: list[float]) -> dict:
        smooth = smoother(0.5)
        line = [smooth(s) for s in samples]
        return {"peak": max(samples, default=None), "smooth": line}
