# pure
"""Sizes the strings of a solar roof; the cached properties belong to frozen module data."""
from dataclasses import dataclass
from functools import cached_property
from math import ceil, cos, floor, radians

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Module:
    watts: int
    voc: float
    vmp: float
    isc: float
    per_kelvin: float

    @cached_property
    def voc_cold(self) -> float:
        """Open voltage at -15 degrees."""
        return self.voc * (1 + self.per_kelvin * (-15 - 25))

    @cached_property
    def vmp_hot(self) -> float:
        return self.vmp * (1 + self.per_kelvin * (70 - 25))


@dataclass(frozen=True)
class Inverter:
    name: str
    watts: int
    mppt_low: int
    mppt_high: int
    amps: float
    trackers: int

    def string_lengths(self, module: Module) -> range:
        return range(ceil(self.mppt_low / module.vmp_hot), floor(self.mppt_high / module.voc_cold) + 1)


MODULES = {
    "mono400": Module(400, 37.1, 31.0, 13.6, -0.0027),
    "poly280": Module(280, 38.9, 31.7, 9.4, -0.0031),
}
INVERTERS = [
    Inverter("S3", 3000, 125, 500, 14.0, 1),
    Inverter("M6", 6000, 160, 850, 15.0, 2),
    Inverter("L10", 10000, 200, 950, 28.0, 2),
]


def layout(count: int, inverter: Inverter, module: Module) -> list[int] | None:
    """Even strings, at most as many as the trackers carry."""
    per_tracker = max(1, int(inverter.amps // module.isc))
    for strings in range(1, inverter.trackers * per_tracker + 1):
        length, rest = divmod(count, strings)
        if rest == 0 and length in inverter.string_lengths(module):
            return [length] * strings
    return None


class RoofPlanner(GraphBusNode):
    @subscribe("/Solar/Roof")
    def on_roof(self, module: str, count: int, tilt: float, azimuth: float) -> dict[str, object]:
        panel = MODULES.get(module)
        if panel is None:
            return {"error": f"unknown module {module}"}
        power = panel.watts * count
        aim = 0.75 + 0.25 * cos(radians(azimuth)) * cos(radians(tilt - 35))
        for inverter in INVERTERS:
            strings = layout(count, inverter, panel)
            if strings and power <= 1.3 * inverter.watts:
                return {"inverter": inverter.name, "strings": strings, "kwp": power / 1000, "kwh": round(power * aim * 1.02)}
        return {"inverter": None, "kwp": power / 1000}
