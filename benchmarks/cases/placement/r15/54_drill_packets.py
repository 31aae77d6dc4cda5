# stateful
"""Keeps the rest of a longer packet in the buffer into which the next, shorter one is read."""
import io
import struct
from statistics import median

from graphbus_core import GraphBusNode, subscribe

SLOTS = 8
RECORD = struct.Struct(f">{SLOTS}H")
frame = bytearray(RECORD.size)


def pack(depths: list[int]) -> bytes:
    kept = [min(max(depth, 0), 0xFFFF) for depth in depths[:SLOTS]]
    return struct.pack(f">{len(kept)}H", *kept)


def receive(stream: io.BufferedIOBase) -> tuple[int, ...]:
    stream.readinto(frame)
    return tuple(depth for depth in RECORD.unpack(frame) if depth)


class DrillPackets(GraphBusNode):
    """Sums up what the probes of a drill report, eight depths a packet at most."""

    @subscribe("/Mine/Probe")
    def on_probe(self, probe: str, depths: list[int]) -> dict[str, object]:
        with io.BytesIO(pack(depths)) as stream:
            seen = receive(stream)
        if not seen:
            return {"probe": probe, "deepest": 0, "median": 0.0}
        return {"probe": probe, "deepest": max(seen), "median": float(median(seen))}
