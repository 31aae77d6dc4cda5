# stateful
"""Keeps the tail of longer frames: the send buffer is reused, and the checksum runs over all of it."""
import struct
from zlib import crc32

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct(">BBH")
READING = struct.Struct(">hH")
FRAME_SIZE = 32

_frame = bytearray(FRAME_SIZE)
_window = memoryview(_frame)


def pack(station: int, kind: int, readings: list[tuple[int, int]]) -> memoryview:
    HEADER.pack_into(_frame, 0, station, kind, len(readings))
    offset = HEADER.size
    for temperature, humidity in readings:
        READING.pack_into(_frame, offset, temperature, humidity)
        offset += READING.size
    return _window


def sealed(frame: memoryview) -> bytes:
    return bytes(frame) + struct.pack(">I", crc32(frame))


class RadioFrame(GraphBusNode):
    """Packs the readings of a weather station into a frame of fixed size."""

    MOST = (FRAME_SIZE - HEADER.size) // READING.size

    @subscribe("/Weather/Readings")
    def on_readings(self, station: int, temperatures: list[float], humidities: list[int]) -> str:
        readings = [(round(t * 100), h) for t, h in zip(temperatures, humidities)]
        if len(readings) > self.MOST:
            readings = readings[-self.MOST:]
        return sealed(pack(station & 0xFF, 1, readings)).hex()
