"""What a bus counts. Publishes are counted by each thread for itself (`frames`); what is rare, here, under a lock.

For each topic: the subscribers of its events at publish = delivered + failed + dropped + in flight.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.runtime.delivery.frames import Frame, ThreadTopic

MAX_TOPICS = 10_000
OTHERS = "(others)"  # the topics beyond


class _Row:
    __slots__ = ("begun", "dropped", "failed", "published")

    def __init__(self) -> None:
        self.published = self.begun = self.failed = self.dropped = 0

    def values(self) -> tuple[int, int, int, int]:
        return self.published, self.begun, self.failed, self.dropped


class DeliveryCounts:
    """Counts by topic that belong to no living thread, and those of failures."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[str, _Row] = {}
        self._zero: dict[str, tuple[int, int, int, int]] = {}
        self.rejected = 0  # events that a payload check or a full queue refused
        self.violations = 0  # payloads that broke their contract, refused or not

    def _row(self, topic: str) -> _Row:
        row = self._rows.get(topic)
        if row is None:
            if len(self._rows) >= MAX_TOPICS:
                topic = OTHERS
            row = self._rows.setdefault(topic, _Row())
        return row

    def failed(self, topic: str, n: int = 1) -> None:
        """n deliveries ended with an error."""
        with self._lock:
            self._row(topic).failed += n

    def dropped(self, topic: str, n: int) -> None:
        """n deliveries will never happen."""
        with self._lock:
            self._row(topic).dropped += n

    def begun(self, topic: str, n: int) -> None:
        """n deliveries more than the published events meant."""
        with self._lock:
            self._row(topic).begun += n

    def reject(self, topic: str, n: int) -> None:
        """An event was refused; its n deliveries will never happen."""
        with self._lock:
            self.rejected += 1
            self._row(topic).dropped += n

    def violated(self) -> None:
        """A payload broke its contract."""
        with self._lock:
            self.violations += 1

    def forked(self) -> None:
        """This is a child process: whoever held the lock stayed in the parent."""
        self._lock = threading.Lock()

    def fold(self, entries: Mapping[str, ThreadTopic]) -> None:
        """Take over the counts of entries that are given up."""
        with self._lock:
            for topic, entry in entries.items():
                row = self._row(topic)
                row.published += entry.published
                row.begun += entry.deliveries

    def reset(self, frames: Iterable[Frame]) -> None:
        """Everything counted so far is zero from now on."""
        totals = self._totals(frames)
        with self._lock:
            self._zero = totals
            self.rejected = self.violations = 0

    def totals(self, frames: Iterable[Frame]) -> dict[str, tuple[int, int, int, int]]:
        """topic -> published, deliveries begun, failed, dropped, since the last reset."""
        zero = self._zero
        nothing = (0, 0, 0, 0)
        now = self._totals(frames)
        rows: dict[str, tuple[int, int, int, int]] = {}
        if OTHERS in now:  # since the last reset, topics may have come to be counted there
            zero = _summed_up(zero, set(zero) - set(now))
        for topic, row in now.items():
            z = zero.get(topic, nothing)
            rows[topic] = (row[0] - z[0], row[1] - z[1], row[2] - z[2], row[3] - z[3])
        return {topic: row for topic, row in rows.items() if topic not in zero or any(row)}

    def _totals(self, frames: Iterable[Frame]) -> dict[str, tuple[int, int, int, int]]:
        with self._lock:
            rows = {topic: list(row.values()) for topic, row in self._rows.items()}
        for frame in frames:
            for topic, entry in list(frame.every.items()):
                # what became of the events of a topic is counted where its failures are
                name = topic if OTHERS not in rows or topic in rows else OTHERS
                row = rows.setdefault(name, [0, 0, 0, 0])
                row[0] += entry.published
                row[1] += entry.deliveries
        return {topic: (r[0], r[1], r[2], r[3]) for topic, r in rows.items()}


def _summed_up(rows: Mapping[str, tuple[int, int, int, int]], gone: set[str]) -> dict[str, tuple[int, int, int, int]]:
    """The same counts, with those of the topics `gone` under OTHERS."""
    apart = {topic: row for topic, row in rows.items() if topic not in gone}
    lost = [rows[topic] for topic in gone] + [apart.get(OTHERS, (0, 0, 0, 0))]
    a, b, c, d = (sum(column) for column in zip(*lost, strict=True))
    return {**apart, OTHERS: (a, b, c, d)}


def summary(frames: Iterable[Frame], tally: DeliveryCounts, waiting: Mapping[str, int]) -> dict[str, Any]:
    """The part of `get_stats` that counts messages. `waiting`: topic -> deliveries that are not done yet."""
    topics: dict[str, dict[str, int]] = {}
    rows = tally.totals(frames)
    under_way: dict[str, int] = {}
    for topic, n in waiting.items():
        name = topic if topic in rows or OTHERS not in rows else OTHERS
        under_way[name] = under_way.get(name, 0) + n
    for topic, (published, begun, failed, dropped) in sorted(rows.items()):
        flying = min(under_way.get(topic, 0), max(begun - failed - dropped, 0))
        topics[topic] = {
            "published": published,
            "delivered": begun - failed - dropped - flying,
            "failed": failed,
            "dropped": dropped,
            "in_flight": flying,
        }

    def total(name: str) -> int:
        return sum(t[name] for t in topics.values())

    return {
        "messages_published": total("published"),
        "messages_delivered": total("delivered"),
        "errors": total("failed"),
        "messages_dropped": total("dropped"),
        "messages_rejected": tally.rejected,
        "payload_violations": tally.violations,
        "in_flight": total("in_flight"),
        "topics": topics,
    }
