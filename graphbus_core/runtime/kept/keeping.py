"""What one run keeps, put together from its settings: journal, ledger, recovery, state and its snapshots."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from graphbus_core.config import RuntimeConfig
from graphbus_core.node_base import GraphBusNode
from graphbus_core.runtime.kept import state
from graphbus_core.runtime.kept.journal import Journal
from graphbus_core.runtime.kept.ledger import Ledger
from graphbus_core.runtime.kept.recovery import Recovery
from graphbus_core.runtime.kept.snapshots import Snapshots
from graphbus_core.runtime.message_bus import MessageBus

log = logging.getLogger("graphbus.runtime")


class Keeping:
    """Of one run. `recovered` is how many events of an earlier run were delivered again."""

    def __init__(self, config: RuntimeConfig) -> None:
        self._state = Path(config.state_file) if config.state_file else None
        self._every_s = config.state_every_s
        self._snapshots: Snapshots | None = None
        self._recovery: Recovery | None = None
        self.ledger: Ledger | None = None
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
            self.ledger = Ledger(self.journal)
            self._recovery = Recovery(self.journal.path, state.held(self._state) if self._state else ())
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
        state.restore(self._state, nodes)
        if self.ledger is not None:
            self._snapshots = Snapshots(self._state, nodes, self.ledger, self._every_s)
            self._snapshots.start()

    def recover(self, bus: MessageBus) -> None:
        """Deliver what an earlier run left undone."""
        if self._recovery is not None and self.ledger is not None:
            self.recovered = self._recovery.deliver(bus, self.ledger)

    def recovery_over(self) -> None:
        """What `recover` began is done, as far as it is for handlers that somebody waits for."""
        if self._recovery is not None and self.ledger is not None:
            self._recovery.over(self.ledger)
            self._recovery = None

    def wrong(self) -> str | None:
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
        return state.save(path, nodes)

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
