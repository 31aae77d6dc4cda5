# stateful
"""Keeps the bytes of the last frame: the buffer is written from the front and never wiped."""
import struct
import zlib

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct("!BBH")
FRAME_SIZE = 32
KINDS = {"ping": 1, "data": 2, "close": 9}


class FrameError(ValueError):
    pass


def checksum(view: bytes) -> str:
    return f"{zlib.crc32(view) & 0xFFFFFFFF:08x}"


def write_frame(buffer: bytearray, kind: int, channel: int, payload: bytes) -> None:
    room = len(buffer) - HEADER.size
    if len(payload) > room:
        raise FrameError(f"payload of {len(payload)} bytes, room for {room}")
    HEADER.pack_into(buffer, 0, kind, channel, len(payload))
    buffer[HEADER.size:HEADER.size + len(payload)] = payload


class FramePacker(GraphBusNode):
    """Packs messages into frames of a fixed size for the radio link."""

    def __init__(self) -> None:
        super().__init__()
        self.buffer = bytearray(FRAME_SIZE)

    @subscribe("/Radio/Send")
    def on_send(self, kind: str, channel: int, text: str) -> dict[str, object]:
        code = KINDS.get(kind)
        if code is None:
            return {"error": f"kind {kind}"}
        try:
            write_frame(self.buffer, code, channel & 0xFF, text.encode("utf-8"))
        except FrameError as exc:
            return {"error": str(exc)}
        frame = bytes(self.buffer)
        return {"frame": frame.hex(), "crc": checksum(frame)}
