"""Keeps the last frames, to be saved when something happens."""
from __future__ import annotations

from collections import deque
from typing import BinaryIO

from camera.frames import Frame


class Recorder:
    def __init__(self, keep: int) -> None:
        self.kept: deque[tuple[int, bytes | bytearray]] = deque(maxlen=keep)

    def __call__(self, frame: Frame) -> None:
        self.kept.append((frame.number, bytes(frame.data)))

    def save(self, out: BinaryIO) -> list[int]:
        """Write the kept frames, oldest first; returns their numbers."""
        numbers = []
        while self.kept:
            number, data = self.kept.popleft()
            out.write(number.to_bytes(4, "big") + data)
            numbers.append(number)
        return numbers
