from __future__ import annotations

from timecode import Clamped, Sticky


class Box:
    size = Clamped(8, 72)
    margin = Clamped(0, 200)

    def __init__(self, size: int, margin: int) -> None:
        self.size = size
        self.margin = margin


class Caption:
    size = Clamped(8, 72)
    row = Sticky(1, 23)

    def __init__(self, size: int, row: int = -1) -> None:
        self.size = size
        self.row = row
