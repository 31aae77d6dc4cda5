# pure
"""The telegram is written into a buffer used over and over, but only what was just written is cut out of it."""
import struct

from graphbus_core import GraphBusNode, subscribe


def crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xA001 if crc & 1 else 0)
        table.append(crc)
    return tuple(table)


CRC = crc_table()
HEAD = struct.Struct(">BBHHB")


class ModbusRequest(GraphBusNode):
    WRITE_MANY = 16

    def __init__(self) -> None:
        super().__init__()
        self._buffer = bytearray(256)
        self._view = memoryview(self._buffer)

    def _crc(self, size: int) -> int:
        crc = 0xFFFF
        for byte in self._view[:size]:
            crc = (crc >> 8) ^ CRC[(crc ^ byte) & 0xFF]
        return crc

    @subscribe("/modbus/write")
    def on_write(self, unit: int, register: int, values: list[int]) -> dict[str, object]:
        if not 0 < len(values) <= 100:
            return {"error": "1 to 100 registers"}
        HEAD.pack_into(self._buffer, 0, unit, self.WRITE_MANY, register, len(values), 2 * len(values))
        size = HEAD.size
        for value in values:
            struct.pack_into(">H", self._buffer, size, value & 0xFFFF)
            size += 2
        struct.pack_into("<H", self._buffer, size, self._crc(size))
        return {"unit": unit, "wire": self._view[:size + 2].hex(" ")}
