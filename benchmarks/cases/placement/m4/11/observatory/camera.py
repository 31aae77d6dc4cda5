from array import array

from graphbus_core import GraphBusNode, subscribe

from . import settings
from .geometry import airmass


class FilterWheel(GraphBusNode):
    @subscribe("/scope/filter")
    def turn(self, name: str) -> bool:
        if name not in settings.EXTINCTION:
            return False
        settings.FILTER = name
        return True


class Photometry(GraphBusNode):
    @subscribe("/scope/magnitude")
    def correct(self, raw: float, altitude: float) -> float:
        k = settings.EXTINCTION[settings.FILTER]
        return round(raw - k * airmass(altitude), 3)


class FlatField(GraphBusNode):
    """Divides a row by its flat."""

    @subscribe("/scope/flat")
    def divide(self, row: list[float], flat: list[float]) -> list[float]:
        data = array("d", row)
        level = sum(flat) / len(flat)
        for i, f in enumerate(flat[: len(data)]):
            data[i] /= f / level
        return [round(x, 3) for x in data]
