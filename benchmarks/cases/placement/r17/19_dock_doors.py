# stateful
"""An early return forgets to release the semaphore, so each refused truck leaves one door fewer."""
import threading
from datetime import time

from graphbus_core import GraphBusNode, subscribe

OPENS, CLOSES = time(5, 30), time(21, 0)
COLD_LIMIT = {"fish": 2.0, "dairy": 7.0, "frozen": -18.0}


class DockGate:
    """Lets as many trucks be handled at once as there are doors."""

    def __init__(self, doors: int) -> None:
        self._free = threading.BoundedSemaphore(doors)

    def admit(self, goods: str, pallets: int, celsius: float) -> dict[str, object]:
        if not self._free.acquire(blocking=False):
            return {"result": "wait in the yard"}
        limit = COLD_LIMIT.get(goods)
        if limit is not None and celsius > limit:
            return {"result": "refused", "over": round(celsius - limit, 1)}
        minutes = 10 + pallets * (4 if limit is None else 3)
        self._free.release()
        return {"result": "unloaded", "minutes": minutes}


class DockDoors(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._gate = DockGate(doors=2)

    @subscribe("/Warehouse/TruckArrived")
    def on_truck(self, plate: str, at: str, goods: str, pallets: int, celsius: float) -> dict[str, object]:
        arrival = time.fromisoformat(at)
        if not OPENS <= arrival <= CLOSES:
            return {"plate": plate, "result": "closed"}
        return {"plate": plate, **self._gate.admit(goods, pallets, celsius)}
