"""What nodes keep between runs: one file for all of them, replaced as a whole, so that a failed save keeps the last.

What the file holds for a node that is not there (left out as broken, or no longer of the build) stays in it.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import GraphBusError, RuntimeFault, UsageError
from graphbus_core.model.message import Event
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.persistence.dead_letters import has_hidden_fields
from graphbus_core.runtime.persistence.delivery_log import DeliveryLog, HeldDelivery, read_unfinished
from graphbus_core.runtime.persistence.journal import Journal, open_journal
from graphbus_core.storage.atomic_files import write_atomic

# After a crash: what stands in the journal and is not done reaches its handlers, before anything new.
#
# Each event goes to the handlers that do not have it, with the id that it had. What a handler publishes then has the
# ids that it had, too (`model.message.derived_id`): what stands in the journal already is not published twice.


log = logging.getLogger("graphbus.runtime")


class Recovery:
    """What one journal left undone; read before the run writes to it."""

    def __init__(self, path: Path, held_deliveries: Collection[HeldDelivery] = ()) -> None:
        self._path = path
        self._held: dict[str, set[str]] = {}
        for event_id, name in held_deliveries:
            self._held.setdefault(event_id, set()).add(name)
        self.found, self.damaged = read_unfinished(path)

    # Read before this run writes: its own lines are not what a crash left.
    def deliver(self, bus: MessageBus, ledger: DeliveryLog) -> int:
        """Deliver all of it, oldest first, and return how many events there were for anybody."""
        if not self.found:
            return 0
        # Every id that stands in the journal. What a redelivery publishes under one of them is not published again.
        ledger.made = {event_id for open_event in self.found.values() for event_id in open_event.made} | set(self.found)
        delivered = 0
        with open_journal(self._path) as lines:
            for event_id, open_event in self.found.items():
                lines.seek(open_event.offset)
                data = json.loads(lines.readline())["event"]
                # What a snapshot holds counts as done, although its line may not have been written.
                have = open_event.done | self._held.get(event_id, set())
                open_event.done = have
                targets = tuple(s for s in bus.subscribers(data["topic"]) if s.durable not in have)
                ledger.reopen(event_id, open_event, targets)
                # Everybody has it, or nobody hears it any more. It is closed, and not delivered to whoever is new.
                if not targets:
                    continue
                event = Event(
                    event_id, data["topic"], data["src"], data["payload"], data["timestamp"], data.get("cause")
                )
                # The journal has stars where fields were hidden. Given to a handler they would be taken for the real
                # values.
                if has_hidden_fields(event.payload):
                    for target in targets:
                        why = "fields of it were hidden before it was kept, so it cannot be delivered again"
                        bus.dead_letters.add(event, target.name, why, reason="stopped", redacted=True)
                        ledger.mark_done(event, target)
                    continue
                bus.deliver_to(targets, event)
                delivered += 1
        log.info("%d events that were not done were delivered again", delivered)
        return delivered

    def finish(self, ledger: DeliveryLog) -> None:
        """Everything is delivered: from now on nothing is known from before."""
        ledger.made = set()
        ledger.flush()


STATE_VERSION = 1


def has_state(node: GraphBusNode) -> bool:
    """Whether a node has anything that outlives a run: a state of its own, or a memory that it used."""
    return type(node).get_state is not GraphBusNode.get_state or bool(_read_memory(node))


def _read_memory(node: GraphBusNode) -> dict[str, Any] | None:
    to_keep = getattr(node.memory, "to_keep", None)
    return to_keep() if callable(to_keep) else None


def gather_state(nodes: Mapping[str, GraphBusNode]) -> dict[str, Any]:
    """What each node wants to be kept: `nodes`, and `memory` of those that used theirs.

    Raises RuntimeFault that names the node whose state cannot be had as JSON.
    """
    states: dict[str, Any] = {}
    remembered: dict[str, Any] = {}
    for name, node in nodes.items():
        try:
            state = node.get_state()
            if state is not None:
                states[name] = json.loads(json.dumps(state))
            if memory := _read_memory(node):
                remembered[name] = json.loads(json.dumps(memory))
        except Exception as e:
            raise RuntimeFault(f"The state of {name} cannot be saved: {type(e).__name__}: {e}. Nothing was.") from e
    return {"nodes": states, "memory": remembered}


def render_state(gathered: dict[str, Any]) -> str:
    """The same as text, to be compared."""
    return json.dumps(gathered, sort_keys=True)


def save_state(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Write the state of all nodes and return how many have one. What was saved before stays until it is whole."""
    gathered = gather_state(nodes)
    write_state(path, gathered, nodes)
    return len(gathered["nodes"].keys() | gathered["memory"].keys())


def write_state(
    path: str | Path,
    gathered: dict[str, Any],
    nodes: Collection[str],
    held_deliveries: Iterable[tuple[str, str]] = (),
    position: int | None = None,
) -> None:
    """Write what `gather_state` gave. `read_held_deliveries` are the deliveries that it holds and the journal does not
    call done yet;
    `position` is how far the journal went.
    """
    path = Path(path)
    content: dict[str, Any] = {"state": "graphbus", "version": STATE_VERSION}
    for part, mine in gathered.items():
        content[part] = {name: entry for name, entry in _read_part(path, part).items() if name not in nodes} | mine
    if not content["memory"]:
        del content["memory"]
    if position is not None:
        content["journal"] = {"position": position, "held": [list(entry) for entry in held_deliveries]}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, json.dumps(content, indent=1, sort_keys=True).encode(), durable=True)
    except OSError as e:
        raise RuntimeFault(f"The state cannot be saved to {path}: {e.strerror}. What was saved before stands.") from e


def restore_state(path: str | Path, nodes: Mapping[str, GraphBusNode]) -> int:
    """Give nodes back what they kept and return how many there were. No file: nothing was kept yet."""
    path = Path(path)
    restored: set[str] = set()
    for part in ("memory", "nodes"):  # a node's own `set_state` has the last word
        for name, saved_value in _read_part(path, part).items():
            if name not in nodes:
                continue
            try:
                if part == "nodes":
                    nodes[name].set_state(saved_value)
                elif nodes[name].memory is not None:
                    nodes[name].memory.take_back(saved_value)
            except Exception as e:
                raise RuntimeFault(
                    f"The state of {name} cannot be restored from {path}: {type(e).__name__}: {e}."
                ) from e
            restored.add(name)
    return len(restored)


def read_held_deliveries(path: str | Path) -> list[tuple[str, str]]:
    """The deliveries that the saved state holds, and that the journal may not call done."""
    rows = _read_part(Path(path), "journal").get("held", [])
    return [(str(event_id), str(name)) for event_id, name in rows]


def _read_part(path: Path, part: str) -> dict[str, Any]:
    """A part of the file: `nodes`, `memory`, `journal`. Raises UsageError where it is something else."""
    try:
        data = json.loads(path.read_text("utf-8"))
        data["nodes"]
        part_content = dict(data.get(part) or {})
        version = int(data["version"])
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UsageError(f"{path} is not a saved state of GraphBus; move it away, or give another file.") from None
    if version > STATE_VERSION:
        raise UsageError(f"{path} is a state of version {version}; this GraphBus reads up to {STATE_VERSION}.")
    return part_content


# Snapshots of what nodes keep, while a journal is on: so that state and journal agree after any crash.
#
#     handler works ──> done, in no snapshot ──> snapshot on the disk ──> `done` line in the journal
#          │                    │                        │
#       crash: again         crash: again,            crash: the snapshot itself says that it holds
#                            with the old state       the event, so it is not delivered again
#
# So the effect of an event on a node's state is there once, whenever the run dies. What a direct call changes is in the
# next snapshot, `every_s` later at most.


QUIET_S = 1.0  # how long to wait for handlers to come to rest, before a snapshot is left to the next time


class Snapshots:
    """Takes snapshots from a thread of its own, until `close`."""

    def __init__(self, path: Path, nodes: Mapping[str, GraphBusNode], ledger: DeliveryLog, every_s: float) -> None:
        self._path, self._nodes, self._ledger, self._every_s = path, nodes, ledger, every_s
        self._over = threading.Event()
        self._taking = threading.Lock()
        self._last = ""
        self._thread = threading.Thread(target=self._run, name="graphbus-state", daemon=True)
        ledger.stateful = self.has_state

    def has_state(self, name: str) -> bool:
        """Whether that node has anything to keep."""
        node = self._nodes.get(name)
        return node is not None and has_state(node)

    def start(self) -> None:
        """Begin: nodes have their state back."""
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(self._every_s):
            try:
                self.take()
            except GraphBusError as e:
                log.error("no snapshot: %s", e)

    def take(self, *, final: bool = False) -> int:
        """Take one now, and return how many nodes have something in it. Raises RuntimeFault where it cannot be had.

        A `final` one does not wait for who hangs: the run ends. What hangs, or was interrupted, is not done, and its
        node keeps what the snapshot before holds.
        """
        with self._taking:
            with self._ledger.hold_still(QUIET_S, final=final) as still:
                if still is None:
                    log.warning("no snapshot: handlers did not come to rest within %g s", QUIET_S)
                    return 0
                held_deliveries, torn = still
                whole = {name: node for name, node in self._nodes.items() if name not in torn}
                gathered = gather_state(whole)
            many = len(gathered["nodes"].keys() | gathered["memory"].keys())
            text = render_state(gathered)
            if text == self._last and not held_deliveries and not final:
                return many
            write_state(self._path, gathered, whole, held_deliveries, self._ledger.journal.position)
            self._last = text
            self._ledger.confirm_saved(held_deliveries)
            return many

    def close(self) -> None:
        """No more by itself."""
        self._over.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(QUIET_S)


# What one run keeps, put together from its settings: journal, ledger, recovery, state and its snapshots.


class RunStore:
    """Of one run. `recovered` is how many events of an earlier run were delivered again."""

    def __init__(self, config: RuntimeConfig) -> None:
        self._state = Path(config.state_file) if config.state_file else None
        self._every_s = config.state_every_s
        self._snapshots: Snapshots | None = None
        self._recovery: Recovery | None = None
        self.ledger: DeliveryLog | None = None
        self.journal: Journal | None = None
        self.recovered = 0
        self.damaged: str | None = None  # what is to be said of a journal that something else has written to
        if config.journal:
            self.journal = Journal(
                config.journal,
                durable=config.journal_durable,
                payload_checks=config.payload_checks,
                max_bytes=config.journal_max_bytes,
            )
            self.ledger = DeliveryLog(self.journal)
            self._recovery = Recovery(self.journal.path, read_held_deliveries(self._state) if self._state else ())
            if lines := self._recovery.damaged:
                many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
                self.damaged = (
                    f"{many} of {config.journal} cannot be read (the first is line {lines[0]}): an event that stood "
                    f"there is not delivered again. Everything else is."
                )
                log.error("%s", self.damaged)

    def restore(self, nodes: Mapping[str, GraphBusNode]) -> None:
        """Give nodes back what they kept."""
        if self._state is None:
            return
        restore_state(self._state, nodes)
        if self.ledger is not None:
            self._snapshots = Snapshots(self._state, nodes, self.ledger, self._every_s)
            self._snapshots.start()

    def recover(self, bus: MessageBus) -> None:
        """Deliver what an earlier run left undone."""
        if self._recovery is not None and self.ledger is not None:
            self.recovered = self._recovery.deliver(bus, self.ledger)

    def finish_recovery(self) -> None:
        """What `recover` began is done, as far as it is for handlers that somebody waits for."""
        if self._recovery is not None and self.ledger is not None:
            self._recovery.finish(self.ledger)
            self._recovery = None

    def find_problem(self) -> str | None:
        """Why nothing more can be kept, or None."""
        if self.journal is not None and not self.journal.path.parent.is_dir():
            return f"the folder of the journal {self.journal.path} is gone"
        if self.journal is not None and self.journal.failed is not None:
            return self.journal.failed
        return None

    def save(self, path: Path, nodes: Mapping[str, GraphBusNode]) -> int:
        """Save the state, all or nothing, and return how many nodes have one."""
        if self._snapshots is not None and path == self._state:
            return self._snapshots.take(final=True)
        return save_state(path, nodes)

    def close(self, *, lines_may_come: bool = False) -> None:
        """Write what is done, and let go of the files; the journal stays open for who did not end in time."""
        if self._snapshots is not None:
            self._snapshots.close()
        if self.ledger is None:
            return
        if lines_may_come:
            self.ledger.flush()
        else:
            self.ledger.close()
