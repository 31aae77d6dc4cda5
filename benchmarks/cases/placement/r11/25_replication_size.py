# stateful
"""Keeps one pickler, whose memo writes an object in full only the first time and a short reference afterwards."""
import io
import pickle
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Region:
    name: str
    hosts: tuple[str, ...]


REGIONS = {
    "north": Region("north", ("n1.internal", "n2.internal", "n3.internal")),
    "south": Region("south", ("s1.internal", "s2.internal")),
    "west": Region("west", ("w1.internal",)),
}


class Outlet:
    """Frames messages for the replication link."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self._dump = pickle.Pickler(self._buffer, protocol=4).dump

    def frame(self, message: object) -> bytes:
        self._buffer.seek(0)
        self._buffer.truncate()
        self._dump(message)
        return self._buffer.getvalue()


class ReplicationSize(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._outlet = Outlet()

    @subscribe("/Replica/Change")
    def on_change(self, key: int, region: str) -> dict:
        place = REGIONS.get(region)
        if place is None:
            return {"key": key, "error": f"no region {region}"}
        frame = self._outlet.frame((key, place.name, place.hosts))
        return {"key": key, "bytes": len(frame), "packets": -(-len(frame) // 48)}
