import math

from graphbus_core import GraphBusNode, subscribe


def filter_wheel(wanted):
    moved = wanted != filter_wheel.position
    filter_wheel.position = wanted
    return moved


filter_wheel.position = "L"
filter_wheel.slots = ("L", "R", "G", "B", "Ha")


class Camera(GraphBusNode):
    @subscribe("/Camera/Expose")
    def on_expose(self, band: str, seconds: float) -> dict:
        overhead = 4.5 if filter_wheel(band) else 0.0
        return {"band": band, "total": seconds + overhead}


class ExposureGuide(GraphBusNode):
    FACTORS = {"L": 1.0, "R": 2.2, "G": 2.4, "B": 2.9, "Ha": 9.5}

    @subscribe("/Camera/Guide")
    def on_guide(self, magnitude: float, aperture: int) -> dict:
        base = math.pow(2.512, magnitude) / aperture ** 2 * 1000
        return {b: round(base * self.FACTORS[b], 3) for b in filter_wheel.slots}
