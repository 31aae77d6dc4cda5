"""Plays a journal back into a running build.

What came from outside is done again, in the order of the journal; what it caused then is caused by it now, and what
nodes did by themselves when they started they did again: neither is played twice. What enforced checks refused is not
played. With `topics`, only events of those topics are played (patterns too), unless an event before them that
caused them is played already.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import UnknownMethod, UnknownNode
from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.persistence.journal import JournalLine
from graphbus_core.runtime.topics import matches


@dataclass
class JournalReplay:
    """What a replay did. `consequences` are records that were not played, because what caused them was, or because a
    node made them by itself when it started or stopped; `followed` are the events and calls that came about now from
    what was played: another build may make more of them, or fewer. `refused`: payload checks had let them reach nobody.
    """

    events: int = 0
    calls: int = 0
    consequences: int = 0
    skipped: int = 0
    failed_calls: int = 0
    refused: int = 0
    followed: int = 0


class _CausedEvents:
    """Looks on at a bus, and counts the events that something else caused."""

    def __init__(self) -> None:
        self.count = 0

    def on_published(self, event: Event) -> None:
        self.count += event.cause is not None

    def wrap_attempt(self, handler: str, topic: str, call: Any, asynchronous: bool) -> Any:
        return call

    def trace_call(self, message: Message, place: str) -> Any:
        return nullcontext()

    def get_headers(self, message_id: str) -> Mapping[str, str]:
        return {}

    def on_arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        pass


def select_records(records: Iterable[JournalLine], topics: Collection[str] = ()) -> Iterator[JournalLine]:
    """The records that a timeline shows: all, or the events of these topics."""
    for record in records:
        if not topics or (record.kind == "event" and any(matches(t, record.data["topic"]) for t in topics)):
            yield record


def replay(
    records: Iterable[JournalLine],
    executor: RuntimeExecutor,
    topics: Collection[str] = (),
    begin: Callable[[JournalLine], None] = lambda record: None,
) -> JournalReplay:
    """Play `records` into a running executor. A call that raises is counted and passed over, as it was in its run.

    `begin` is told of each record right before it is played.
    """
    counts, caused = JournalReplay(), _CausedEvents()
    if executor.bus is not None:
        executor.bus.observe(caused)
    calls_before = executor.get_stats()["calls"]
    covered: set[str] = set()  # ids that are played, or follow from what is played
    for record in records:
        if record.refused:
            counts.refused += 1
            continue
        if record.hook is not None or (record.cause is not None and record.cause in covered):
            covered.add(record.id)
            counts.consequences += 1
            continue
        if not any(select_records((record,), topics)):
            counts.skipped += 1
            continue
        covered.add(record.id)  # a cause that is not in this journal is outside, as far as this journal knows
        begin(record)
        if record.kind == "event":
            executor.publish(record.data["topic"], record.data["payload"], record.data["src"])
            counts.events += 1
        else:
            data = record.data
            try:
                executor.request(
                    data["dst"], data["method"], data["payload"], context=data.get("context"), source=data["src"]
                )
            except (UnknownNode, UnknownMethod):
                raise
            except Exception:
                counts.failed_calls += 1
            counts.calls += 1
    # Not below zero: a call that was refused before it began is played, and counted by nobody else.
    counts.followed = caused.count + max(0, executor.get_stats()["calls"] - calls_before - counts.calls)
    return counts
