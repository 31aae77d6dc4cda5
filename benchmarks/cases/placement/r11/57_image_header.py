# pure
"""Builds a small bitmap in a bytearray made for the event and describes its bytes; keeps nothing."""
import base64
import struct
import zlib
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PALETTE = {"white": (255, 255, 255), "black": (0, 0, 0), "red": (200, 30, 30), "green": (20, 150, 60)}


class Box(NamedTuple):
    x: int
    y: int
    width: int
    height: int
    colour: str

    @classmethod
    def parse(cls, text: str) -> "Box":
        x, y, width, height, colour = text.split()
        return cls(int(x), int(y), int(width), int(height), colour)


def _canvas(width: int, height: int, boxes: list[Box]) -> bytearray:
    stride = width * 3 + 1
    pixels = bytearray(stride * height)
    for row in range(height):
        pixels[row * stride + 1:(row + 1) * stride] = bytes(PALETTE["white"]) * width
    for box in boxes:
        paint = bytes(PALETTE.get(box.colour, PALETTE["black"]))
        left, right = max(0, box.x), min(width, box.x + box.width)
        if right <= left:
            continue
        for row in range(max(0, box.y), min(height, box.y + box.height)):
            start = row * stride + 1 + left * 3
            pixels[start:start + (right - left) * 3] = paint * (right - left)
    return pixels


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(kind)))


class ImageHeader(GraphBusNode):
    @subscribe("/Badge/Draw")
    def on_draw(self, width: int, height: int, boxes: list[str]) -> dict:
        if not (0 < width <= 64 and 0 < height <= 64):
            return {"error": "size"}
        try:
            pixels = _canvas(width, height, [Box.parse(b) for b in boxes])
        except ValueError as error:
            return {"error": str(error)}
        header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        image = SIGNATURE + header + _chunk(b"IDAT", zlib.compress(bytes(pixels), 9)) + _chunk(b"IEND", b"")
        return {"head": base64.b64encode(image[:33]).decode(), "adler": zlib.adler32(pixels), "dark": pixels.count(0)}
