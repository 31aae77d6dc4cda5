# stateful
"""The drawing functions write through a memoryview into one buffer, which is never wiped between events."""
from __future__ import annotations

from graphbus_core import GraphBusNode, subscribe

WIDTH, HEIGHT = 16, 6
SHADES = " .:*#"
FONT = {
    "0": "757", "1": "262", "2": "612", "3": "717", "4": "571", "5": "216", "+": "272", "-": "070",
}


class Canvas:
    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.pixels = memoryview(bytearray(width * height))

    def row(self, y: int) -> memoryview:
        return self.pixels[y * self.width:(y + 1) * self.width]

    def rows(self) -> list[str]:
        return ["".join(SHADES[p] for p in self.row(y)).rstrip() for y in range(len(self.pixels) // self.width)]


def plot(line: memoryview, x: int, shade: int) -> None:
    if 0 <= x < len(line):
        line[x] = min(shade, len(SHADES) - 1)


def glyph(canvas: Canvas, ch: str, x: int, y: int, shade: int) -> None:
    for dy, bits in enumerate(FONT.get(ch, "000")):
        for dx in range(3):
            if 0 <= y + dy < HEIGHT and int(bits) >> (2 - dx) & 1:
                plot(canvas.row(y + dy), x + dx, shade)


class ScoreBoard(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.canvas = Canvas(WIDTH, HEIGHT)

    @subscribe("/Stadium/Text")
    def on_text(self, text: str, x: int, y: int, shade: int) -> dict[str, object]:
        for index, ch in enumerate(text):
            glyph(self.canvas, ch, x + 4 * index, y, max(shade, 1))
        picture = self.canvas.rows()
        lit = sum(len(row) - row.count(" ") for row in picture)
        return {"picture": picture, "lit": lit}
