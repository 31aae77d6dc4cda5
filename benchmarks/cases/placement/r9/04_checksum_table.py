# pure
"""Builds a constant table when it is first needed; the answer does not depend on whether it was there."""
from graphbus_core import GraphBusNode, subscribe

POLYNOMIAL = 0x1021
_table: list[int] | None = None


def table() -> list[int]:
    global _table
    if _table is None:
        _table = []
        for byte in range(256):
            value = byte << 8
            for _ in range(8):
                value = (value << 1) ^ POLYNOMIAL if value & 0x8000 else value << 1
            _table.append(value & 0xFFFF)
    return _table


def crc(data: bytes, value: int = 0xFFFF) -> int:
    rows = table()
    for byte in data:
        value = ((value << 8) & 0xFFFF) ^ rows[(value >> 8) ^ byte]
    return value


def frame(payload: bytes) -> bytes:
    return bytes([0x7E, len(payload)]) + payload + crc(payload).to_bytes(2, "big")


class ChecksumTable(GraphBusNode):
    @subscribe("/Sensor/Command")
    def on_command(self, address: int, command: str, arguments: list[int]) -> dict[str, object]:
        codes = {"read": 0x03, "write": 0x06, "reset": 0x11}
        if command not in codes or not 0 <= address < 248:
            return {"error": "not a command"}
        payload = bytes([address, codes[command], *(value & 0xFF for value in arguments)])
        return {"frame": frame(payload).hex(" "), "crc": f"{crc(payload):04x}"}

    @subscribe("/Sensor/Frame")
    def on_frame(self, data: str) -> dict[str, object]:
        raw = bytes.fromhex(data)
        body, check = raw[2:-2], raw[-2:]
        return {"valid": len(body) == raw[1] and crc(body) == int.from_bytes(check, "big")}
