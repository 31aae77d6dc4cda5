# pure
"""The accumulator sums up the readings of one block and is made anew for the next."""
import csv
import io
import math
from collections import defaultdict
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

UNITS = {"temp": "°C", "hum": "%", "co2": "ppm"}


@dataclass
class Running:
    """Welford's method."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0
    low: float = math.inf
    high: float = -math.inf

    def push(self, value: float) -> None:
        self.count += 1
        delta = value - self.mean
        self.mean += delta / self.count
        self.squares += delta * (value - self.mean)
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.squares / (self.count - 1)) if self.count > 1 else 0.0


def readings(block: str):
    for row in csv.DictReader(io.StringIO(block.strip()), delimiter=";"):
        try:
            yield row["channel"], float(row["value"].replace(",", "."))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue


class BlockStatistics(GraphBusNode):
    @subscribe("/telemetry/block")
    def on_block(self, station: str, block: str) -> dict[str, object]:
        channels: defaultdict[str, Running] = defaultdict(Running)
        for channel, value in readings(block):
            channels[channel].push(value)
        summary = {
            name: {
                "n": stats.count,
                "mean": f"{stats.mean:.2f} {UNITS.get(name, '')}".rstrip(),
                "sd": round(stats.deviation, 3),
                "range": [stats.low, stats.high],
            }
            for name, stats in sorted(channels.items())
        }
        return {"station": station, "channels": summary, "empty": not summary}
