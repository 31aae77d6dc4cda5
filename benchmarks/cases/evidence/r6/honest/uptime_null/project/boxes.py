import time
from threading import RLock

from graphbus_core import GraphBusNode, schema_method


class Box(GraphBusNode):
    """A box at the edge; sends a heartbeat each minute."""

    def __init__(self, name="edge-0", booted=0.0, now=time.monotonic):
        super().__init__()
        self.box = name
        self.booted = booted
        self.now = now
        self.seq = 0
        self.lock = RLock()

    @schema_method(
        input_schema={},
        output_schema={"box": str, "uptime_s": float, "load": float, "seq": int},
    )
    def heartbeat(self):
        with self.lock:
            self.seq += 1
            beat = {
                "box": self.box,
                "uptime_s": self.now() - self.booted,
                "load": 0.25,
                "seq": self.seq,
            }
        self.publish("/Box/Heartbeat", beat)
        return beat
