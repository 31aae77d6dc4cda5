# stateful
"""Packs into one scratch bytearray without clearing it; where a name is shorter, bytes of an older packet remain and are summed."""
import struct
import zlib

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct(">BBHI")
NAME_AT = HEADER.size
SIZE = NAME_AT + 24
KINDS = {"status": 1, "alarm": 2, "firmware": 3}

_scratch = bytearray(SIZE)


def _encode(kind: int, flags: int, serial: int, value: int, name: bytes) -> memoryview:
    HEADER.pack_into(_scratch, 0, kind, flags, serial & 0xFFFF, value & 0xFFFFFFFF)
    struct.pack_into(f">{len(name)}s", _scratch, NAME_AT, name)
    return memoryview(_scratch).toreadonly()


class PacketEncoder(GraphBusNode):
    @subscribe("/Device/Send")
    def on_send(self, device: str, serial: int, kind: str, value: int) -> dict:
        code = KINDS.get(kind)
        if code is None:
            return {"device": device, "error": f"unknown kind {kind}"}
        name = device.encode("ascii", "replace")[:24]
        packet = _encode(code, 0x80 | len(name), serial, value, name)
        return {"device": device, "length": len(packet), "check": f"{zlib.crc32(packet):08x}"}
