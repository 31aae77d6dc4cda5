# pure
"""Keeps nothing: threads, queue and lock live for one batch, and the answers stand in the batch's order."""
from __future__ import annotations

import queue
import statistics
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Batch:
    readings: dict[str, list[float]]
    alarms: "queue.PriorityQueue[tuple[str, str]]" = field(default_factory=queue.PriorityQueue)
    totals: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def study(self, sensor: str) -> str:
        values = self.readings[sensor]
        if len(values) < 3:
            return f"{sensor}: too few"
        median = statistics.median(values)
        spread = statistics.median(abs(value - median) for value in values)
        outliers = [value for value in values if spread and abs(value - median) > 5 * spread]
        for value in outliers:
            self.alarms.put((sensor, f"{value:.1f}"))
        with self.lock:
            self.totals[sensor.partition("/")[0]] += len(outliers)
        return f"{sensor}: {median:.2f} +- {spread:.2f}"

    def drain(self) -> list[str]:
        found = []
        while True:
            try:
                found.append(" ".join(self.alarms.get_nowait()))
            except queue.Empty:
                return found


class SensorBatches(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._guard = threading.RLock()
        self._workers = 3

    @subscribe("/Batches")
    def on_batch(self, readings: dict[str, list[float]]) -> dict[str, object]:
        with ExitStack() as stack:
            stack.enter_context(self._guard)
            pool = stack.enter_context(ThreadPoolExecutor(max_workers=self._workers))
            batch = Batch(readings)
            lines = list(pool.map(batch.study, sorted(readings)))
        return {"lines": lines, "alarms": batch.drain(), "totals": dict(sorted(batch.totals.items()))}
