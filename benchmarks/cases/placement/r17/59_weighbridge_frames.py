# stateful
"""Keeps the tail of longer frames: a ctypes buffer's value ends at the zero byte, but its raw bytes go on."""
from __future__ import annotations

import ctypes
from binascii import crc_hqx

from graphbus_core import GraphBusNode, subscribe

SIZE = 32
FRAME = ctypes.create_string_buffer(SIZE)


class Ticket(ctypes.BigEndianStructure):
    _pack_ = 1
    _fields_ = [("gross", ctypes.c_uint32), ("tare", ctypes.c_uint32), ("axles", ctypes.c_uint8)]


def seal(plate: str) -> int:
    """The checksum that the display expects over the whole frame."""
    FRAME.value = plate.encode("ascii", "replace")[: SIZE - 1]
    return crc_hqx(FRAME.raw, 0xFFFF)


class WeighbridgeFrames(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._limits = {2: 18_000, 3: 26_000, 4: 32_000, 5: 40_000}

    @subscribe("/Weighings")
    def on_weighing(self, plate: str, gross: int, tare: int, axles: int) -> dict[str, object]:
        if not 0 <= tare <= gross < 2**32:
            return {"error": "weights"}
        limit = self._limits.get(axles)
        if limit is None:
            return {"error": f"{axles} axles"}
        ticket = Ticket(gross, tare, axles)
        return {
            "plate": plate,
            "net": ticket.gross - ticket.tare,
            "overweight": ticket.gross > limit,
            "ticket": bytes(ticket).hex(),
            "seal": f"{seal(plate):04x}",
        }
