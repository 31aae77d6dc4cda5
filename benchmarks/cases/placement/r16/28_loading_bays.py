# stateful
"""An early return forgets to release the semaphore, so the bays run out."""
import threading

from graphbus_core import GraphBusNode, subscribe

MAX_TONNES = 18.0


class Yard:
    def __init__(self, bays: int) -> None:
        self._bays = threading.BoundedSemaphore(bays)

    def handle(self, plate: str, tonnes: float) -> str:
        if not self._bays.acquire(blocking=False):
            return "queue at gate"
        if tonnes > MAX_TONNES:
            return "turned away"
        minutes = 12 + round(tonnes * 2.5)
        self._bays.release()
        return f"loaded in {minutes} min"


class LoadingBays(GraphBusNode):
    yard = Yard(bays=3)

    @subscribe("/Gate/Truck")
    def on_truck(self, plate: str, tonnes: float) -> dict[str, str]:
        return {"plate": plate.replace(" ", "").upper(), "result": self.yard.handle(plate, tonnes)}
