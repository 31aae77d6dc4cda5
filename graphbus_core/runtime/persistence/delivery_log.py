"""The ledger of a run: what was published, what is done, and what a crash left undone (at least once, per handler).

    Ledger      writes the journal, and knows which (event, handler) are still open
    unfinished  reads a journal: the events that some handler may not have got, oldest first

An event is open from its line on, until every handler that heard it is done. `done` lines are grouped: they are
written with the next event, or by `flush`; losing one makes a duplicate, never a loss. For a node that keeps state an
event is done only when a snapshot that holds its effect is on the disk (`kept.snapshots`).
"""

# Theory of operation
# -------------------
#
# The promise is "at least once, for each handler": an event that was accepted reaches every handler that heard it,
# also when the process dies in between, and no handler gets it twice without need. The journal is one file of lines.
# The ledger is what decides which lines are written, and when.
#
#     publish ──> event line on the disk ──> handlers ──> done line
#                       │                                    │
#                       └── a crash in here: delivered again ┘
#
# Why the event's line comes first. Its publisher is told "taken" when `publish` returns. If the line came later, a
# crash could lose what somebody had been promised. So the line is written before any handler runs, and where the disk
# refuses it the publisher hears of it and nobody gets the event.
#
# Why a done line may come late. Losing an event line loses an event. Losing a done line makes a duplicate, and a
# duplicate is what handlers of an at-least-once bus must bear anyway. So done events wait in `_fresh` and go out with
# the next event's line, or when there are GROUP of them: a bus that works costs one write an event.
#
# Why "done" is a pair. An event has several handlers, and each may fail by itself. What is kept is (event, durable
# name): after a crash only those get it that do not have it. The durable name is the handler's, not the object's,
# since objects do not outlive a process.
#
# Why a node with state waits. A handler that changed its node's state in memory is not done when it returns: a crash
# throws the state away, and then the event would be gone with its effect. Its pairs stand in `_unsaved` until a
# snapshot that holds the effect is on the disk. The snapshot carries the list of pairs it holds, so state and ledger
# cannot disagree, whichever of the two a crash strikes.
#
# Why a snapshot needs quiet. It must not catch a handler halfway. `block_snapshot` counts who is inside; `hold_still`
# waits until nobody is. A stream that never rests would keep it waiting for ever, so an overdue snapshot holds
# newcomers back for half a second. It never holds back who is inside already (depth), nor an event loop: either would
# wait for itself.
# The last snapshot of a run cannot wait for ever. It leaves out the nodes in which a handler hangs or was cut off, as a
# crash would: they go on from the snapshot before, and get again what came since.
#
# Why ids are derived. What a handler publishes while it handles an event gets an id that is computed from that event's
# (`model.message.derived_id`). Delivered again, it publishes the same ids again; those that stand in the journal
# already are known in `made`, and are not published a second time. Without this, one duplicate at the top would become
# a tree of duplicates below it.
#
# Why damage is counted and not fatal. A torn last line is a publisher that was never told. Another line that cannot be
# read means that something else wrote into the file: its line number is told, and every other event is delivered.
#
# What this is not: exactly once. A crash between a handler's effect on the outside world and its done line repeats the
# effect. No ledger can prevent that; a handler that must not act twice keeps the event's id beside its effect.

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.concurrency import get_running_loop
from graphbus_core.runtime.persistence.journal import Journal, encode, open_journal
from graphbus_core.storage.atomic_files import iter_whole_lines

if TYPE_CHECKING:
    from graphbus_core.runtime.subscriptions.subscriber import Subscriber

# Beyond a thousand the file is something else; their numbers would fill a screen and say no more.
MAX_DAMAGED = 1_000
# One line for many: a line each would double what a busy bus writes.
GROUP = 64  # done events that wait for a line at most
HeldDelivery = tuple[str, str]  # (event id, durable name): done, and in a snapshot


@dataclass
class Unfinished:
    """An event that a crash left: `done` are the handlers that have it; `made` the ids of what it led to already."""

    offset: int
    done: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)


def read_unfinished(path: Path) -> tuple[dict[str, Unfinished], list[int]]:
    """What stands in a journal and is not done, by event id, in its order. Memory: what is not done, no more.

    And the first lines that cannot be read, at most 1,000 of them: something else than a run has written there.
    """
    open_events: dict[str, Unfinished] = {}
    damaged: list[int] = []
    with open_journal(path) as f:
        # The first line is the journal's head, and an offset counts from the start of the file.
        for number, offset, line in iter_whole_lines(f, 2, len(f.readline())):
            try:
                _apply_line(open_events, line, offset)
            except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
                if len(damaged) < MAX_DAMAGED:
                    damaged.append(number)
    return open_events, damaged


def _apply_line(open_events: dict[str, Unfinished], line: bytes, offset: int) -> None:
    kind = line[:8]
    if kind == b'{"event"':
        data = json.loads(line)["event"]
        open_events.setdefault(data["event_id"], Unfinished(offset)).offset = offset
        cause = open_events.get(data.get("cause") or "")
        if cause is not None:
            cause.made.add(data["event_id"])
    elif kind == b'{"done":':
        # Of an event whose line is gone (an older file) nothing is open, so nothing has to be closed.
        for event_id, *names in json.loads(line)["done"]:
            if names and event_id in open_events:
                open_events[event_id].done.update(names)
            elif not names:
                open_events.pop(event_id, None)
    elif kind == b'{"refuse':
        open_events.pop(json.loads(line)["refused"]["id"], None)
    elif kind != b'{"call":':
        raise ValueError("a line of no kind")


class DeliveryLog:
    """The journal of a run being kept. May be used from any thread.

    `stateful` says of a node whether its done deliveries wait for a snapshot; None: there are no snapshots.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.stateful: Callable[[str], bool] | None = None
        self.made: set[str] = set()  # ids of what the events that are delivered again led to before the crash
        self._lock = threading.Lock()
        self._open: dict[str, frozenset[str]] = {}  # who is still to get an event
        self._partly: dict[str, list[str]] = {}  # of open events: who has them
        # By thread: a handler that publishes runs inside of another one, and must not wait for itself.
        self._here = threading.local()
        self._fresh: dict[str, list[str] | None] = {}  # done since the last line; None: by everybody
        self._unsaved: list[tuple[str, str, str]] = []  # (node, event id, durable name): done, in no snapshot yet
        self._quiet = threading.Condition(self._lock)
        self._active: dict[str, int] = {}
        self._halfway: set[str] = set()  # nodes in which a handler was interrupted
        self.overdue = False
        journal.carry = self._render_carried

    # What the machine says

    def was_made_before(self, event_id: str) -> bool:
        """Whether a redelivery publishes what stands in the journal already: then it is not published again."""
        return event_id in self.made

    def record_event(self, event: Event, names: frozenset[str]) -> None:
        """Keep an event before the handlers of these durable names get it. Raises as the journal does."""
        event_id = event.event_id
        with self._lock:
            done_line = self._take_done_line()
            # Before the line is written: a handler in another thread may be done with it the moment it is out.
            if names:
                self._open[event_id] = names
        try:
            self.journal.write_event(event, before=done_line, carried=bool(names))
        except BaseException:
            with self._lock:
                self._open.pop(event_id, None)
            raise
        if not names:
            with self._lock:
                # Nobody hears it, so it is done with its own line; the next line says so.
                self._fresh[event_id] = None

    def reopen(self, event_id: str, open_event: Unfinished, subscribers: Collection[Subscriber]) -> None:
        """An event of an earlier run is about to be delivered to these."""
        self.journal.take_over(event_id, open_event.offset)
        with self._lock:
            self._open[event_id] = frozenset(subscriber.durable for subscriber in subscribers)
            if open_event.done:
                self._partly[event_id] = sorted(open_event.done)
            if not subscribers:
                self._close_event(event_id)

    def record_call(self, message: Message, cause: str | None) -> None:
        """Keep a direct call before it is made."""
        self.journal.write_call(message, cause)

    def record_refusal(self, message_id: str) -> None:
        """Nobody gets the event or call of that id."""
        with self._lock:
            self._open.pop(message_id, None)
        self.journal.write_refusal(message_id)

    def mark_done(self, event: Event, subscriber: Subscriber) -> None:
        """A handler will never be given this event again: it has it, or it is a dead letter."""
        event_id, name = event.event_id, subscriber.durable
        node = getattr(subscriber.owner, "name", None) if self.stateful is not None else None
        stateful = node is not None and self.stateful is not None and self.stateful(node)
        with self._lock:
            if stateful and node is not None:
                self._unsaved.append((node, event_id, name))
                return
            # Outside of a snapshot's reach it is done at once: what the handler did is out in the world already.
            self._mark(event_id, name)
            full = len(self._fresh) >= GROUP
        if full:
            # Not under the lock: writing waits for the disk, and every handler that ends needs the lock.
            self.flush()

    def record_drop(self, event: Event, subscribers: Collection[Subscriber]) -> None:
        """An event reaches nobody, and that is final."""
        for subscriber in subscribers:
            self.mark_done(event, subscriber)

    # Snapshots of nodes with state

    @contextmanager
    def block_snapshot(self, node: str | None) -> Iterator[None]:
        """While a handler or a call changes a stateful node: no snapshot of it is taken meanwhile."""
        if node is None or self.stateful is None:
            yield
            return
        with self._lock:
            inside = getattr(self._here, "depth", 0)
            if self.overdue and not inside and get_running_loop() is None:
                # At most half a second. A node that is never at rest is saved when it stops, which is late but not
                # never.
                self._quiet.wait_for(lambda: not self.overdue, 0.5)  # let a snapshot through a steady stream
            self._active[node] = self._active.get(node, 0) + 1
        self._here.depth = inside + 1
        try:
            yield
        finally:
            self._here.depth = inside
            with self._lock:
                self._active[node] -= 1
                if not self._active[node]:
                    del self._active[node]
                    self._quiet.notify_all()

    def record_interruption(self, subscriber: Subscriber) -> None:
        """A handler was cut off: what it had changed of its node by then is half an effect."""
        with self._lock:
            self._halfway.add(str(getattr(subscriber.owner, "name", "")))

    @contextmanager
    def hold_still(
        self, timeout_s: float, *, final: bool = False
    ) -> Iterator[tuple[list[HeldDelivery], frozenset[str]] | None]:
        """Hold every stateful node still, and give what their states hold; None where they did not come to rest.

        A `final` one is had always. With it come the nodes that it must leave out, because their state holds half an
        effect: who did not come to rest, and in whom a handler was interrupted. What they did since their last
        snapshot is delivered again, to the state that it holds, as after a crash.
        """
        with self._lock:
            self.overdue = True
            try:
                if not self._quiet.wait_for(lambda: not self._active, timeout_s) and not final:
                    yield None
                    return
                torn = frozenset({*self._active, *self._halfway} if final else ())
                yield [(event_id, name) for node, event_id, name in self._unsaved if node not in torn], torn
            finally:
                self.overdue = False
                self._quiet.notify_all()

    def confirm_saved(self, held_deliveries: list[HeldDelivery]) -> None:
        """A snapshot that holds these is on the disk: now they are done."""
        with self._lock:
            saved_pairs = set(held_deliveries)
            self._unsaved = [row for row in self._unsaved if row[1:] not in saved_pairs]
            for event_id, name in held_deliveries:
                self._mark(event_id, name)
        self.flush()

    # Writing

    def _mark(self, event_id: str, name: str) -> None:
        remaining = self._open.get(event_id)
        if remaining is None:
            return
        if len(remaining) == 1 and name in remaining:  # most events have one handler: no set need be made
            self._close_event(event_id)
            return
        remaining = self._open[event_id] = remaining - {name}
        if not remaining:
            self._close_event(event_id)
        elif (done_names := self._fresh.setdefault(event_id, [])) is not None:
            done_names.append(name)
            self._partly.setdefault(event_id, []).append(name)

    def _close_event(self, event_id: str) -> None:
        self._open.pop(event_id, None)
        self._partly.pop(event_id, None)
        self._fresh[event_id] = None
        self.journal.forget(event_id)

    def _take_done_line(self) -> str:
        if not self._fresh:
            return ""
        fresh, self._fresh = self._fresh, {}
        return _render_done(fresh)

    def flush(self) -> None:
        """Write what is done."""
        with self._lock:
            line = self._take_done_line()
        if line:
            self.journal.write_line(line)

    def _render_carried(self) -> str:
        # A new file begins with events that are open. Who has them half must stand there, too.
        """What a new file of the journal must say of the events that it takes over: which of them are half done."""
        partly = dict(self._partly)
        return _render_done(partly) if partly else ""

    def close(self) -> None:
        """Write what is done, and close the journal."""
        with suppress(Exception):  # it is closed already, or the disk is full: then there will be duplicates
            self.flush()
        self.journal.close()


def _render_done(rows: Mapping[str, list[str] | None]) -> str:
    text = encode([[event_id, *(names or ())] for event_id, names in rows.items()])
    return f'{{"done":{text}}}'
