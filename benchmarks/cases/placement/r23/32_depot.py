# stateful
"""A bus that is not yet known gets the next free bay, in the order in which the buses came."""
from graphbus_core import GraphBusNode, subscribe


class BayTable(dict):
    """Looks like a plain table of where every bus stands at night."""

    bays_per_row = 4

    def __missing__(self, bus: str) -> str:
        row, place = divmod(len(self), self.bays_per_row)
        return self.setdefault(bus, f"{'ABCDEFGH'[row % 8]}{place + 1}")


class ElectricBayTable(BayTable):
    bays_per_row = 2

    def __missing__(self, bus: str) -> str:
        return super().__missing__(bus) + "+"


class Yard:
    def __init__(self) -> None:
        self.tables = {"diesel": BayTable(), "electric": ElectricBayTable()}

    def bay(self, bus: str, drive: str) -> str:
        return self.tables[drive][bus]


class DepotGuide(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.yard = Yard()

    @subscribe("/Depot/Arrival")
    def on_arrival(self, bus: str, drive: str, fuel_percent: int) -> dict:
        drive = drive if drive in self.yard.tables else "diesel"
        steps = ["wash"]
        if fuel_percent < 40:
            steps.insert(0, "charge" if drive == "electric" else "refuel")
        return {"bus": bus, "bay": self.yard.bay(bus, drive), "steps": steps}
