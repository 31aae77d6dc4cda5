# stateful
"""Takes packets from a pool and fills in only what the event brings, so a shield of an earlier packet is still on it."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphbus_core import GraphBusNode, subscribe


class Packet:
    __slots__ = ("unit", "x", "y", "shield", "effects")

    def __init__(self) -> None:
        self.unit = ""
        self.x = self.y = 0
        self.shield = 0
        self.effects: tuple[str, ...] = ()

    def encode(self) -> str:
        tail = "".join(f"+{effect}" for effect in self.effects)
        return f"{self.unit}@{self.x},{self.y}#{self.shield}{tail}"


class Pool:
    def __init__(self, factory: type[Packet], size: int) -> None:
        self._factory = factory
        self._free = [factory() for _ in range(size)]

    @contextmanager
    def lend(self) -> Iterator[Packet]:
        item = self._free.pop() if self._free else self._factory()
        try:
            yield item
        finally:
            self._free.append(item)


class UnitUpdates(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._pool = Pool(Packet, 8)

    @subscribe("/Game/UnitMoved")
    def on_move(self, unit: str, x: int, y: int, shield: int, effects: list[str]) -> dict[str, object]:
        with self._pool.lend() as packet:
            packet.unit = unit
            packet.x, packet.y = x % 256, y % 256
            if shield > 0:
                packet.shield = min(shield, 99)
            packet.effects = tuple(sorted(effects))
            wire = packet.encode()
        return {"wire": wire, "bytes": len(wire.encode())}
