# stateful
"""Keeps options of earlier stations: every event's text is read into the same configuration parser."""
import configparser
from statistics import fmean

from graphbus_core import GraphBusNode, subscribe

BASE = """
[sensor]
offset = 0.0
unit = C
[report]
digits = 1
"""

settings = configparser.ConfigParser(interpolation=None)
settings.read_string(BASE)


def with_overrides(text: str) -> configparser.ConfigParser:
    try:
        settings.read_string(text)
    except configparser.Error:
        pass
    return settings


def convert(celsius: float, unit: str) -> float:
    match unit.upper():
        case "F":
            return celsius * 9 / 5 + 32
        case "K":
            return celsius + 273.15
        case _:
            return celsius


class StationSettings(GraphBusNode):
    @subscribe("/Weather/Readings")
    def on_readings(self, station: str, readings: list[float], overrides: str) -> dict[str, object]:
        options = with_overrides(overrides)
        offset = options.getfloat("sensor", "offset", fallback=0.0)
        unit = options.get("sensor", "unit")
        digits = options.getint("report", "digits")
        mean = fmean(readings) if readings else 0.0
        return {"station": station, "mean": f"{convert(mean + offset, unit):.{digits}f} {unit.upper()}"}
