# stateful
"""The cached property is computed from the reading at hand when it is first asked for and stays so."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

SCALE_HEIGHT_M = 8434.5


class Altimeter:
    """Height relative to a reference pressure."""

    pressure: float = 1013.25

    @cached_property
    def reference(self) -> float:
        return round(self.pressure, 1)

    def height(self) -> float:
        ratio = (self.reference - self.pressure) / self.reference
        return SCALE_HEIGHT_M * ratio


def trend(height: float) -> str:
    if height > 25:
        return "above"
    if height < -25:
        return "below"
    return "level"


class LiftMonitor(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._altimeter = Altimeter()

    @subscribe("/lift/pressure")
    def on_pressure(self, cabin: str, hectopascal: float) -> dict[str, object]:
        if not 870 < hectopascal < 1085:
            return {"cabin": cabin, "valid": False}
        self._altimeter.pressure = hectopascal
        height = self._altimeter.height()
        return {"cabin": cabin, "valid": True, "height": round(height, 1), "trend": trend(height)}
