# pure
"""The ring of hashes is fixed at import, and a key always falls on the same place of it."""
import bisect
import hashlib
from collections.abc import Iterator
from typing import Final

from graphbus_core import GraphBusNode, subscribe

SHARDS: Final = {"s-ams": 3, "s-fra": 4, "s-lon": 2, "s-waw": 1}
POINTS_PER_WEIGHT: Final = 16


def position(text: str) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


class Ring:
    def __init__(self, weights: dict[str, int]) -> None:
        points = [
            (position(f"{name}#{i}"), name)
            for name, weight in weights.items()
            for i in range(weight * POINTS_PER_WEIGHT)
        ]
        points.sort()
        self._positions = [p for p, _ in points]
        self._names = [n for _, n in points]

    def walk(self, key: str) -> Iterator[str]:
        """The distinct shards met from the key's place onwards."""
        start = bisect.bisect(self._positions, position(key))
        met: set[str] = set()
        for offset in range(len(self._names)):
            name = self._names[(start + offset) % len(self._names)]
            if name not in met:
                met.add(name)
                yield name


RING = Ring(SHARDS)


class Placement(GraphBusNode):
    @subscribe("/store/put")
    def on_put(self, tenant: str, key: str, copies: int, down: list[str]) -> dict[str, object]:
        wanted = max(1, min(copies, len(SHARDS)))
        healthy = (name for name in RING.walk(f"{tenant}/{key}") if name not in down)
        chosen = [name for name, _ in zip(healthy, range(wanted))]
        return {
            "key": f"{tenant}/{key}",
            "primary": chosen[0] if chosen else None,
            "replicas": chosen[1:],
            "degraded": len(chosen) < wanted,
        }
