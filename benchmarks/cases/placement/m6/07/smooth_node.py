from graphbus_core import GraphBusNode, subscribe

from calibration import curve_for
from filters import smooth


class SmoothNode(GraphBusNode):
    @subscribe("/Smooth")
    def on_sample(self, sensor: str, kind: str, raw: float) -> dict:
        value = curve_for(kind)(raw)
        return {"sensor": sensor, "value": round(smooth(sensor, value), 4)}
