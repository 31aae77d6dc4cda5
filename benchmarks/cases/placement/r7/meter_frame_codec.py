# pure
"""The scratch buffer is overwritten over its whole length before it is read."""
import binascii
import struct
from enum import IntFlag

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct(">4sHB")
READING = struct.Struct(">IhHB")
SIZE = HEADER.size + READING.size


class Flags(IntFlag):
    TAMPER = 1
    LOW_BATTERY = 2
    LEAK = 4
    REVERSE_FLOW = 8


class BadFrame(ValueError):
    pass


def names(flags: Flags) -> list[str]:
    return [flag.name.lower() for flag in Flags if flag in flags and flag.name]


class MeterGateway(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._scratch = bytearray(SIZE)
        self._view = memoryview(self._scratch)

    def _load(self, text: str) -> memoryview:
        try:
            raw = binascii.a2b_base64(text)
        except binascii.Error as problem:
            raise BadFrame("not base64") from problem
        if len(raw) != SIZE + 2:
            raise BadFrame(f"{len(raw)} bytes")
        body, tail = raw[:-2], raw[-2:]
        if binascii.crc_hqx(body, 0xFFFF) != int.from_bytes(tail, "big"):
            raise BadFrame("crc")
        self._view[:] = body
        return self._view

    @subscribe("/meters/frame")
    def on_frame(self, gateway: str, frame: str) -> dict[str, object]:
        try:
            view = self._load(frame)
        except BadFrame as problem:
            return {"gateway": gateway, "error": str(problem)}
        serial, year, kind = HEADER.unpack_from(view)
        litres, temperature, pressure, bits = READING.unpack_from(view, HEADER.size)
        return {
            "gateway": gateway,
            "meter": f"{serial.hex().upper()}/{year % 100:02d}",
            "kind": {6: "hot water", 7: "water"}.get(kind, "other"),
            "m3": litres / 1000,
            "celsius": temperature / 10,
            "bar": pressure / 1000,
            "flags": names(Flags(bits & 15)),
        }
