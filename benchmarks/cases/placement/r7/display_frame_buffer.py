# stateful
"""The frame buffer is reused; a message shorter than the one before leaves the tail of the former in it."""
import zlib

from graphbus_core import GraphBusNode, subscribe

COLUMNS, ROWS = 16, 2
GLYPHS = {"°": 0xDF, "→": 0x7E, "←": 0x7F, "µ": 0xE4}


def glyph(char: str) -> int:
    if char in GLYPHS:
        return GLYPHS[char]
    code = ord(char)
    return code if 32 <= code < 127 else ord("?")


class Frame:
    __slots__ = ("cells",)

    def __init__(self) -> None:
        self.cells = bytearray(b" " * (COLUMNS * ROWS))

    def put(self, row: int, text: str) -> None:
        at = row * COLUMNS
        encoded = bytes(map(glyph, text[:COLUMNS]))
        self.cells[at:at + len(encoded)] = encoded

    def digest(self) -> str:
        return f"{zlib.crc32(self.cells):08x}"


class Display(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._frame = Frame()

    @subscribe("/display/show")
    def on_show(self, title: str, value: str) -> dict[str, str]:
        self._frame.put(0, title)
        self._frame.put(1, value.rjust(6))
        return {"cells": self._frame.cells.hex(), "crc": self._frame.digest()}
