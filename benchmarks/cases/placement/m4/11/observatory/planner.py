import math

from graphbus_core import GraphBusNode, subscribe

from . import settings
from .geometry import airmass, sexagesimal


class Culmination(GraphBusNode):
    @subscribe("/plan/culmination")
    def best(self, name: str, dec: str) -> dict:
        altitude = 90 - abs(settings.SITE["lat"] - sexagesimal(dec))
        if altitude <= 0:
            return {"name": name, "visible": False}
        return {
            "name": name,
            "visible": True,
            "altitude": round(altitude, 2),
            "loss": {f: round(k * airmass(altitude), 3) for f, k in settings.EXTINCTION.items()},
            "dip": round(1.76 * math.sqrt(settings.SITE["alt"]) / 60, 3),
        }
