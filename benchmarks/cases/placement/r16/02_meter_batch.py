# pure
"""Keeps nothing: threads, lock and shared dict exist within the event and are joined before it answers."""
import math
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from graphbus_core import GraphBusNode, subscribe

LIMIT_SIGMA = 1.8


@dataclass
class Tally:
    lock: threading.Lock = field(default_factory=threading.Lock)
    per_feeder: dict[str, float] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)

    def add(self, feeder: str, total: float) -> None:
        with self.lock:
            self.per_feeder[feeder] = total

    def reject(self, feeder: str) -> None:
        with self.lock:
            self.bad.append(feeder)


def process(tally: Tally, feeder: str, readings: list[float]) -> int:
    if not readings or any(math.isnan(value) or value < 0 for value in readings):
        tally.reject(feeder)
        return 0
    middle, spread = fmean(readings), pstdev(readings)
    kept = [value for value in readings if spread == 0 or abs(value - middle) <= LIMIT_SIGMA * spread]
    tally.add(feeder, math.fsum(kept))
    return len(readings) - len(kept)


class MeterBatch(GraphBusNode):
    WORKERS = 3

    @subscribe("/Grid/Batch")
    def on_batch(self, feeders: dict[str, list[float]]) -> dict[str, object]:
        tally = Tally()
        outliers = 0
        with ThreadPoolExecutor(max_workers=self.WORKERS) as pool:
            jobs = [pool.submit(process, tally, name, values) for name, values in feeders.items()]
            for job in as_completed(jobs):
                outliers += job.result()
        return {
            "totals": {name: round(total, 3) for name, total in sorted(tally.per_feeder.items())},
            "rejected": sorted(tally.bad),
            "outliers": outliers,
        }
