# pure
"""Keeps a buffer for reuse, but it is wiped before each frame is packed, so nothing of an earlier one is left."""
import struct
from binascii import crc_hqx

from graphbus_core import GraphBusNode, subscribe

HEAD = struct.Struct("<2sBB")
FLOAT = struct.Struct("<f")
SIZE = 36


class FrameBuffer:
    def __init__(self, size: int) -> None:
        self._bytes = bytearray(size)
        self._blank = bytes(size)

    def __enter__(self) -> memoryview:
        self._bytes[:] = self._blank
        return memoryview(self._bytes)

    def __exit__(self, *details: object) -> None:
        return None


class TelemetryPack(GraphBusNode):
    """Packs channel values into a frame of fixed length for the downlink."""

    CHANNELS = (SIZE - HEAD.size) // FLOAT.size

    def __init__(self) -> None:
        super().__init__()
        self._buffer = FrameBuffer(SIZE)

    @subscribe("/Downlink/Values")
    def on_values(self, kind: int, values: list[float]) -> dict[str, object]:
        kept = values[:self.CHANNELS]
        with self._buffer as frame:
            HEAD.pack_into(frame, 0, b"TM", kind & 0xFF, len(kept))
            for index, value in enumerate(kept):
                FLOAT.pack_into(frame, HEAD.size + index * FLOAT.size, value)
            text = frame.hex()
            check = crc_hqx(frame, 0xFFFF)
        return {"frame": text, "crc": f"{check:04x}", "dropped": len(values) - len(kept)}
