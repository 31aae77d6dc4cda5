# pure
"""Keeps a scratch buffer for speed, but wipes all of it before each frame."""
import struct
from enum import IntEnum
from types import MappingProxyType

from graphbus_core import GraphBusNode, subscribe


class Node(IntEnum):
    ENGINE = 0x100
    BRAKE = 0x200
    DOOR = 0x300


LAYOUT = MappingProxyType({
    Node.ENGINE: struct.Struct("<Hh"),
    Node.BRAKE: struct.Struct("<BB"),
    Node.DOOR: struct.Struct("<B"),
})
EMPTY = bytes(8)


def crc15(data: bytes) -> int:
    crc = 0
    for byte in data:
        crc ^= byte << 7
        for _ in range(8):
            crc = ((crc << 1) ^ 0x4599 if crc & 0x4000 else crc << 1) & 0x7FFF
    return crc


class CanBus(GraphBusNode):
    """Encodes car signals for the bus simulator."""

    def __init__(self) -> None:
        super().__init__()
        self._frame = bytearray(8)

    def _encode(self, node: Node, values: list[int]) -> bytes:
        self._frame[:] = EMPTY
        LAYOUT[node].pack_into(self._frame, 0, *values)
        return bytes(self._frame)

    @subscribe("/Car/Signal")
    def on_signal(self, name: str, values: list[int]) -> dict[str, object]:
        try:
            node = Node[name.upper()]
            frame = self._encode(node, values)
        except (KeyError, struct.error) as exc:
            return {"error": type(exc).__name__}
        return {"id": hex(node), "data": frame.hex(" "), "crc": crc15(frame)}
