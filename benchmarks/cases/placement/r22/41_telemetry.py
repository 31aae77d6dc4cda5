# stateful
"""A frame buffer is used again without being cleared."""
import struct

from graphbus_core import GraphBusNode, subscribe

OFFSETS = {"temp": 2, "flow": 4, "door": 6}
HEADER = struct.Struct(">BB")
FIELD = struct.Struct(">H")


class Framer:
    def __init__(self, size: int = 8) -> None:
        self.buffer = bytearray(size)

    def frame(self, unit: int, channel: str, value: int) -> bytes:
        HEADER.pack_into(self.buffer, 0, 0x7E, unit)
        FIELD.pack_into(self.buffer, OFFSETS[channel], value)
        return bytes(self.buffer)


def checksum(data: bytes) -> int:
    total = 0
    for byte in data:
        total = (total << 1 ^ byte) & 0xFFFF
    return total


class PumpStation(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.framer = Framer()

    @subscribe("/Frame")
    def on_frame(self, unit: int, channel: str, value: int) -> dict[str, str]:
        raw = self.framer.frame(unit, channel, value)
        return {"hex": raw.hex(" "), "sum": f"{checksum(raw):04x}"}
