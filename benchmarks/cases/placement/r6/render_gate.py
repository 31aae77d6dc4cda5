# stateful
"""A job that is refused returns without giving its slot back, so after some of those everybody is told to wait."""
import threading

from graphbus_core import GraphBusNode, subscribe

SLOTS = threading.BoundedSemaphore(4)
MAX_PIXELS = 40_000_000


def cost(width: int, height: int, samples: int) -> int:
    return -(-width * height * samples // 1_000_000)


class RenderGate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/render/job")
    def on_job(self, scene: str, width: int, height: int, samples: int) -> dict[str, object]:
        if not SLOTS.acquire(blocking=False):
            return {"scene": scene, "status": "busy"}
        if width <= 0 or height <= 0:
            SLOTS.release()
            return {"scene": scene, "status": "bad size"}
        if width * height > MAX_PIXELS:
            return {"scene": scene, "status": "too large"}
        try:
            units = cost(width, height, samples)
            return {"scene": scene, "status": "ok", "units": units}
        finally:
            SLOTS.release()
