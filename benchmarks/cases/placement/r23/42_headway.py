# stateful
"""The smoothing stage remembers the last smoothed delay of each line in its own attributes."""
from graphbus_core import GraphBusNode, subscribe


class Stage:
    def process(self, line: str, seconds: float) -> float:
        return seconds


class ClampStage(Stage):
    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def process(self, line: str, seconds: float) -> float:
        return min(self.high, max(self.low, super().process(line, seconds)))


class SmoothStage(ClampStage):
    weight = 0.25

    def process(self, line: str, seconds: float) -> float:
        value = super().process(line, seconds)
        key = f"line_{line}"
        value += (getattr(self, key, value) - value) * (1 - self.weight)
        setattr(self, key, value)
        return value


class RoundStage(Stage):
    def process(self, line: str, seconds: float) -> float:
        return float(int(seconds / 15 + 0.5) * 15)


class DelayDisplay(GraphBusNode):
    stages: tuple[Stage, ...] = (SmoothStage(-120, 3600), RoundStage())

    @subscribe("/Vehicle/Delay")
    def on_delay(self, line: str, seconds: float) -> dict:
        value = seconds
        for stage in self.stages:
            value = stage.process(line, value)
        return {"line": line, "shown": value, "red": value > 300}
