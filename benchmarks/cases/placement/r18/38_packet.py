# pure
"""Keeps only a table for the checksum, computed in the constructor and never changed."""
from __future__ import annotations

import struct
from collections.abc import Callable

from graphbus_core import GraphBusNode, subscribe

POLY = 0x1021
FRAME = struct.Struct(">2sBBH")
READERS: dict[int, tuple[str, str, Callable[..., object]]] = {
    1: ("temperature", ">h", lambda v: v / 100),
    2: ("pressure", ">I", lambda v: v / 10),
    3: ("position", ">ii", lambda lat, lon: [lat / 1e6, lon / 1e6]),
    4: ("status", ">B", lambda bits: [name for i, name in enumerate(("door", "tilt", "battery", "gps")) if bits >> i & 1]),
}


def crc_table(poly: int) -> list[int]:
    table = []
    for byte in range(256):
        value = byte << 8
        for _ in range(8):
            value = (value << 1 ^ poly if value & 0x8000 else value << 1) & 0xFFFF
        table.append(value)
    return table


class Decoder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._table = crc_table(POLY)

    def crc(self, data: bytes) -> int:
        value = 0xFFFF
        for byte in data:
            value = (value << 8 & 0xFFFF) ^ self._table[value >> 8 ^ byte]
        return value

    @subscribe("/Radio/Frame")
    def on_frame(self, frame: str) -> dict[str, object]:
        try:
            raw = bytes.fromhex(frame)
            magic, sender, length, check = FRAME.unpack_from(raw)
        except (ValueError, struct.error) as problem:
            return {"error": str(problem)}
        body = raw[FRAME.size:FRAME.size + length]
        if magic != b"SN" or len(body) != length:
            return {"error": "truncated or foreign frame"}
        if self.crc(body) != check:
            return {"error": f"checksum {self.crc(body):04x}"}
        values: dict[str, object] = {}
        view = memoryview(body)
        while view:
            kind, view = view[0], view[1:]
            if kind not in READERS:
                return {"sender": sender, **values, "error": f"field {kind}"}
            name, layout, convert = READERS[kind]
            values[name] = convert(*struct.unpack_from(layout, view))
            view = view[struct.calcsize(layout):]
        return {"sender": sender, **values}
