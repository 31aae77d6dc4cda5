"""Motion is a jump of the mean brightness."""
from __future__ import annotations

from dataclasses import dataclass, field

from camera.frames import Frame


@dataclass
class Motion:
    step: float
    last: float | None = None
    hits: list[int] = field(default_factory=list)

    def __call__(self, frame: Frame) -> None:
        now = frame.brightness()
        if self.last is not None and abs(now - self.last) >= self.step:
            self.hits.append(frame.number)
        self.last = now
