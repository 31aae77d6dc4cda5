"""Frames as they come from the camera."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterable


@dataclass
class Frame:
    number: int
    data: bytearray

    def brightness(self) -> float:
        return sum(self.data) / len(self.data)


Listener = Callable[[Frame], None]


class Grabber:
    """Reads raw pictures and hands them to the listeners."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.listeners: list[Listener] = []

    def run(self, raw: Iterable[bytes]) -> int:
        number = 0
        for number, picture in enumerate(raw, 1):
            if len(picture) != self.size:
                raise ValueError(f"frame {number}: {len(picture)} bytes")
            frame = Frame(number, bytearray(picture))
            for listener in self.listeners:
                listener(frame)
        return number
