"""After a crash: what stands in the journal and is not done reaches its handlers, before anything new.

Each event goes to the handlers that do not have it, with the id that it had. What a handler publishes then has the
ids that it had, too (`model.message.derived_id`): what stands in the journal already is not published twice.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection
from pathlib import Path

from graphbus_core.model.message import Event
from graphbus_core.runtime.kept.dead_letter_file import holds_hidden
from graphbus_core.runtime.kept.journal_reading import opened
from graphbus_core.runtime.kept.ledger import Held, Ledger, unfinished
from graphbus_core.runtime.message_bus import MessageBus

log = logging.getLogger("graphbus.runtime")


class Recovery:
    """What one journal left undone; read before the run writes to it."""

    def __init__(self, path: Path, held: Collection[Held] = ()) -> None:
        self._path = path
        self._held: dict[str, set[str]] = {}
        for event_id, name in held:
            self._held.setdefault(event_id, set()).add(name)
        self.found, self.damaged = unfinished(path)

    # Read before this run writes: its own lines are not what a crash left.
    def deliver(self, bus: MessageBus, ledger: Ledger) -> int:
        """Deliver all of it, oldest first, and return how many events there were for anybody."""
        if not self.found:
            return 0
        # Every id that stands in the journal. What a redelivery publishes under one of them is not published again.
        ledger.made = {event_id for one in self.found.values() for event_id in one.made} | set(self.found)
        delivered = 0
        with opened(self._path) as lines:
            for event_id, one in self.found.items():
                lines.seek(one.offset)
                data = json.loads(lines.readline())["event"]
                # What a snapshot holds counts as done, although its line may not have been written.
                have = one.done | self._held.get(event_id, set())
                one.done = have
                targets = tuple(s for s in bus.subscribers(data["topic"]) if s.durable not in have)
                ledger.reopened(event_id, one, targets)
                # Everybody has it, or nobody hears it any more. It is closed, and not delivered to whoever is new.
                if not targets:
                    continue
                event = Event(
                    event_id, data["topic"], data["src"], data["payload"], data["timestamp"], data.get("cause")
                )
                # The journal has stars where fields were hidden. Given to a handler they would be taken for the real
                # values.
                if holds_hidden(event.payload):
                    for target in targets:
                        why = "fields of it were hidden before it was kept, so it cannot be delivered again"
                        bus.dead_letters.add(event, target.name, why, reason="stopped", redacted=True)
                        ledger.done(event, target)
                    continue
                bus.deliver_to(targets, event)
                delivered += 1
        log.info("%d events that were not done were delivered again", delivered)
        return delivered

    def over(self, ledger: Ledger) -> None:
        """Everything is delivered: from now on nothing is known from before."""
        ledger.made = set()
        ledger.flush()
