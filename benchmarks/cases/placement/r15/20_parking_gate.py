# stateful
"""Keeps the permits of a semaphore: the way out for cars that are too high forgets to give its permit back."""
import threading

from graphbus_core import GraphBusNode, subscribe

LANES = threading.BoundedSemaphore(3)
HEIGHT = 2.10
FEES = {"car": 250, "motorcycle": 100, "van": 400}


def admit(kind: str, height: float) -> str:
    if not LANES.acquire(blocking=False):
        return "lane closed"
    if height > HEIGHT:
        return "too high"
    try:
        return f"ticket {FEES[kind]}"
    except KeyError:
        return "ticket 500"
    finally:
        LANES.release()


class ParkingGate(GraphBusNode):
    """Opens one of three lanes and gives out a ticket."""

    @subscribe("/Parking/Arrived")
    def on_arrived(self, plate: str, kind: str, height: float) -> dict[str, str]:
        cleaned = "".join(plate.upper().split())
        return {"plate": cleaned, "answer": admit(kind.lower(), height)}
