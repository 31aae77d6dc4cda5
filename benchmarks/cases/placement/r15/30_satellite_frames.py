# pure
"""Keeps a buffer between events, but writes every byte of it before any is read."""
import struct
import zlib
from array import array

from graphbus_core import GraphBusNode, subscribe

HEAD = struct.Struct(">4sHH")
BODY = struct.Struct(">12h")
TAIL = struct.Struct(">I")


class Framer:
    """Frames of one fixed size, built in place to spare the allocator."""

    def __init__(self) -> None:
        self._buffer = bytearray(HEAD.size + BODY.size + TAIL.size)
        self._view = memoryview(self._buffer)
        self._samples = array("h", [0] * 12)

    def build(self, craft: bytes, channel: int, samples: list[int]) -> bytes:
        kept = samples[:12]
        for at in range(12):
            value = kept[at] if at < len(kept) else 0
            self._samples[at] = max(-32768, min(32767, value))
        HEAD.pack_into(self._buffer, 0, craft, channel & 0xFFFF, len(kept))
        BODY.pack_into(self._buffer, HEAD.size, *self._samples)
        end = HEAD.size + BODY.size
        TAIL.pack_into(self._buffer, end, zlib.crc32(self._view[:end]))
        return bytes(self._buffer)


def read_back(frame: bytes) -> tuple[str, int, list[int], bool]:
    craft, channel, count = HEAD.unpack_from(frame)
    samples = list(BODY.unpack_from(frame, HEAD.size)[:count])
    (check,) = TAIL.unpack_from(frame, len(frame) - TAIL.size)
    return craft.rstrip(b"\0").decode(), channel, samples, check == zlib.crc32(frame[: -TAIL.size])


class SatelliteFrames(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._framer = Framer()

    @subscribe("/Space/Samples")
    def on_samples(self, craft: str, channel: int, samples: list[int]) -> dict[str, object]:
        frame = self._framer.build(craft.encode("ascii", "ignore")[:4], channel, samples)
        name, number, values, intact = read_back(frame)
        return {"frame": frame.hex(" ", 4), "craft": name, "channel": number, "values": values, "intact": intact}
