# stateful
"""The pump object changes its own class when it trips, and stays of that class."""
from graphbus_core import GraphBusNode, subscribe


class Pump:
    label = "running"

    def __init__(self, max_bar: float, max_celsius: float) -> None:
        self.max_bar = max_bar
        self.max_celsius = max_celsius

    def command(self, bar: float, celsius: float, demand: int) -> int:
        """Speed in percent for the demanded litres per minute."""
        if bar > self.max_bar or celsius > self.max_celsius:
            self.__class__ = TrippedPump
            return 0
        return min(100, round(demand / 6))


class TrippedPump(Pump):
    label = "tripped"

    def command(self, bar: float, celsius: float, demand: int) -> int:
        if demand == 0 and bar < self.max_bar / 2:
            self.__class__ = Pump
        return 0


SITES = {"north": Pump(8.0, 70.0), "south": Pump(6.5, 65.0)}


class PumpGuard(GraphBusNode):
    @subscribe("/Water/Sample")
    def on_sample(self, site: str, bar: float, celsius: float, demand: int) -> dict[str, object]:
        pump = SITES.get(site)
        if pump is None:
            return {"site": site, "error": "unknown site"}
        speed = pump.command(bar, celsius, demand)
        return {"site": site, "speed": speed, "state": pump.label}
