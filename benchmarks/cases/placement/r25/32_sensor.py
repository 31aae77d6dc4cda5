# stateful
"""Keeps the lowest and highest reading of every channel on the class of the readings."""
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


@dataclass(order=True, frozen=True)
class Span:
    low: float
    high: float

    def widened(self, value: float) -> Span:
        return Span(min(self.low, value), max(self.high, value))

    def place(self, value: float) -> float:
        width = self.high - self.low
        return 0.5 if width == 0 else round((value - self.low) / width, 4)


@dataclass
class Reading:
    channel: str
    value: float
    spans: ClassVar[dict[str, Span]] = {}

    def __post_init__(self) -> None:
        known = self.spans.get(self.channel, Span(self.value, self.value))
        self.spans[self.channel] = known.widened(self.value)

    @property
    def relative(self) -> float:
        return self.spans[self.channel].place(self.value)


class Scaler(GraphBusNode):
    @subscribe("/plant/reading")
    def on_reading(self, channel: str, value: float) -> dict[str, float]:
        reading = Reading(channel, value)
        return {"value": reading.value, "relative": reading.relative}
