# stateful
"""The label buffer is reused, and a short text leaves the tail of the longer one before it."""
import struct

from graphbus_core import GraphBusNode, subscribe

HEADER = struct.Struct(">BHB")
WIDTH = 16


def xor(data) -> int:
    check = 0
    for byte in data:
        check ^= byte
    return check


class LabelPrinter(GraphBusNode):
    """Builds the binary frame the thermal printer wants."""

    def __init__(self) -> None:
        super().__init__()
        self._frame = bytearray(HEADER.size + WIDTH + 1)
        self._text = memoryview(self._frame)[HEADER.size:HEADER.size + WIDTH]

    def _write_text(self, text: str) -> int:
        raw = text.encode("ascii", "replace")[:WIDTH]
        self._text[:len(raw)] = raw
        return len(raw)

    @subscribe("/labels/print")
    def on_print(self, sku: str, qty: int) -> dict:
        HEADER.pack_into(self._frame, 0, 0x02, qty, WIDTH)
        length = self._write_text(sku)
        self._frame[-1] = xor(self._frame[:-1])
        return {
            "frame": bytes(self._frame).hex(" ", 4),
            "used": length,
            "check": self._frame[-1],
        }
