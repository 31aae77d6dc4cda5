"""Snapshots of what nodes keep, while a journal is on: so that state and journal agree after any crash.

    handler works ──> done, in no snapshot ──> snapshot on the disk ──> `done` line in the journal
         │                    │                        │
      crash: again         crash: again,            crash: the snapshot itself says that it holds
                           with the old state       the event, so it is not delivered again

So the effect of an event on a node's state is there once, whenever the run dies. What a direct call changes is in the
next snapshot, `every_s` later at most.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from pathlib import Path

from graphbus_core.errors import GraphBusError
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.kept import state
from graphbus_core.runtime.kept.ledger import Ledger

REST_S = 1.0  # how long to wait for handlers to come to rest, before a snapshot is left to the next time
log = logging.getLogger("graphbus.runtime")


class Snapshots:
    """Takes snapshots from a thread of its own, until `close`."""

    def __init__(self, path: Path, nodes: Mapping[str, GraphBusNode], ledger: Ledger, every_s: float) -> None:
        self._path, self._nodes, self._ledger, self._every_s = path, nodes, ledger, every_s
        self._over = threading.Event()
        self._taking = threading.Lock()
        self._last = ""
        self._thread = threading.Thread(target=self._run, name="graphbus-state", daemon=True)
        ledger.stateful = self.keeps

    def keeps(self, name: str) -> bool:
        """Whether that node has anything to keep."""
        node = self._nodes.get(name)
        return node is not None and state.keeps(node)

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
            with self._ledger.quiet(REST_S, final=final) as still:
                if still is None:
                    log.warning("no snapshot: handlers did not come to rest within %g s", REST_S)
                    return 0
                held, torn = still
                whole = {name: node for name, node in self._nodes.items() if name not in torn}
                kept = state.gather(whole)
            many = len(kept["nodes"].keys() | kept["memory"].keys())
            text = state.text_of(kept)
            if text == self._last and not held and not final:
                return many
            state.write(self._path, kept, whole, held, self._ledger.journal.position)
            self._last = text
            self._ledger.saved(held)
            return many

    def close(self) -> None:
        """No more by itself."""
        self._over.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(REST_S)
