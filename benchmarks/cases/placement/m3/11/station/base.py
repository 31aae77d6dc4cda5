"""Common ground of the station's nodes."""
from collections import deque

from graphbus_core import GraphBusNode


class Sensor(GraphBusNode):
    """A sensor with a name and limits."""

    quantity = "?"
    low, high = 0.0, 1.0

    def clamp(self, value: float) -> float:
        return min(max(value, self.low), self.high)

    def say(self, value: float) -> str:
        return f"{self.quantity}={self.clamp(value):.1f}"


class Windowed(Sensor):
    size = 3

    def __init__(self) -> None:
        super().__init__()
        self.window: deque[float] = deque(maxlen=self.size)

    def mean(self, value: float) -> float:
        self.window.append(self.clamp(value))
        return sum(self.window) / len(self.window)


class Hysteresis:
    def __init__(self, on: float, off: float) -> None:
        self.on, self.off, self.state = on, off, False

    def __call__(self, value: float) -> bool:
        self.state = value > (self.off if self.state else self.on)
        return self.state

    @classmethod
    def along(cls, values: list[float], on: float, off: float) -> list[bool]:
        return list(map(cls(on, off), values))
