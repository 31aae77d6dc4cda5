"""A consent negotiation of this project, as a command names it: its id, or none for the latest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphbus_core.consent import Finished, Prepared, finished_of, folded
from graphbus_core.consent.files import Run, Runs
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Event


@dataclass(frozen=True)
class KeptDecision:
    """What was prepared, where it stands, its facts, and how it ended (None: it has not)."""

    run: Run
    prepared: Prepared
    state: State
    events: tuple[Event, ...]
    finished: Finished | None

    def over(self) -> Finished:
        """How it ended. Raises UsageError where it has not."""
        if self.finished is None:
            raise UsageError("It is not over yet. `graphbus consent resume` goes on with it.")
        return self.finished


def read(run_id: str | None, folder: Path | None = None) -> KeptDecision:
    """A kept run. Raises UsageError where there is none of that id."""
    run = Runs(folder or Path.cwd()).find(run_id)
    prepared, state, events = folded(run)
    return KeptDecision(run, prepared, state, events, finished_of(run, prepared, state))
