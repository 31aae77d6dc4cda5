from graphbus_core import GraphBusNode, subscribe

from calibration import Quantity, curve_for
from filters import BaselineMixin

LIMITS = {Quantity.TEMPERATURE: 5.0, Quantity.PRESSURE: 20.0, Quantity.HUMIDITY: 10.0}


class DriftNode(BaselineMixin, GraphBusNode):
    @subscribe("/Drift")
    def on_sample(self, sensor: str, kind: str, raw: float) -> dict:
        off = self.offset(sensor, curve_for(kind)(raw))
        return {"offset": round(off, 3), "alarm": abs(off) > LIMITS[Quantity(kind)]}
