from __future__ import annotations

from dataclasses import dataclass


class Clamped:
    """Descriptor for a number kept within bounds."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high
        self.last = low

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_" + name

    def __get__(self, obj: object, owner: type | None = None):
        return self if obj is None else getattr(obj, self.slot)

    def __set__(self, obj: object, value: int) -> None:
        setattr(obj, self.slot, max(self.low, min(self.high, value)))


class Sticky(Clamped):
    def __get__(self, obj: object, owner: type | None = None):
        return self if obj is None else self.last

    def __set__(self, obj: object, value: int) -> None:
        if value >= 0:
            self.last = max(self.low, min(self.high, value))


@dataclass(frozen=True)
class Timecode:
    frames: int
    fps: int = 25

    @classmethod
    def parse(cls, text: str, fps: int = 25) -> Timecode:
        h, m, s, f = map(int, text.split(":"))
        return cls(((h * 60 + m) * 60 + s) * fps + f, fps)

    def __add__(self, frames: int) -> Timecode:
        return Timecode(self.frames + frames, self.fps)

    def __str__(self) -> str:
        s, f = divmod(self.frames, self.fps)
        return f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}:{f:02}"
