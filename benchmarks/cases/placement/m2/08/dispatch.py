from graphbus_core import GraphBusNode, subscribe

from grid.scope import dispatch_area
from grid.tariff import energy_cost

UNITS = [("hydro", 120, 4), ("wind", 80, 1), ("gas", 300, 42), ("coal", 250, 37)]


class MeritOrder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Grid/Dispatch/Requested")
    def dispatch(self, area: str, load: int) -> dict[str, object]:
        with dispatch_area(area) as neighbour:
            left, running = load, []
            for name, capacity, cost in sorted(UNITS, key=lambda u: u[2]):
                take = min(left, capacity)
                if take:
                    running.append([name, take])
                    left -= take
            imported = energy_cost(left, neighbour) if left else 0
        return {"area": area, "running": running, "import_from": neighbour if left else "", "import_cost": imported}
