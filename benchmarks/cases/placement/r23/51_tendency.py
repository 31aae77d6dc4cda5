# stateful
"""The station record is replaced through object.__setattr__, so the last pressure of each station stays."""
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Station:
    ident: str
    altitude: float
    reading: float = field(default=0.0, compare=False)

    def reduce(self, hpa: float, celsius: float) -> float:
        kelvin = celsius + 273.15
        return hpa * (1 - 0.0065 * self.altitude / (kelvin + 0.0065 * self.altitude)) ** -5.257

    def tendency(self, sea_level: float) -> str:
        change = sea_level - (self.reading or sea_level)
        object.__setattr__(self, "reading", sea_level)
        if abs(change) < 0.5:
            return "steady"
        return "rising" if change > 0 else "falling"


STATIONS = {s.ident: s for s in (Station("HH", 11.0), Station("ZG", 2964.0), Station("KE", 720.5))}


class Pressure(GraphBusNode):
    @subscribe("/Obs/Pressure")
    def on_pressure(self, station: str, hpa: float, celsius: float) -> dict:
        site = STATIONS.get(station)
        if site is None:
            return {"station": station, "error": "unknown station"}
        value = round(site.reduce(hpa, celsius), 1)
        return {"station": station, "qff": value, "tendency": site.tendency(value)}
