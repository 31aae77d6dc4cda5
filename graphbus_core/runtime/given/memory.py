"""`NodeMemory` at run time (seed 002 §§2.8, 9): what a node remembers, kept with the state between runs.

It is given to every node as `self.memory`. A node that never touches it costs nothing and keeps nothing.
"""

from __future__ import annotations

from collections import deque
from typing import Any

MAX_HISTORY = 1_000


class NodeMemory:
    """A node's own notes: `state` is a dict of JSON values, `history` the last things it noted."""

    __slots__ = ("_history", "_state")

    def __init__(self) -> None:
        self._state: dict[str, Any] | None = None
        self._history: deque[dict[str, Any]] | None = None

    @property
    def state(self) -> dict[str, Any]:
        """What the node keeps in mind; saved and restored where the run has a state file."""
        if self._state is None:
            self._state = {}
        return self._state

    @property
    def history(self) -> deque[dict[str, Any]]:
        """What was noted, oldest first, at most MAX_HISTORY."""
        if self._history is None:
            self._history = deque(maxlen=MAX_HISTORY)
        return self._history

    def note(self, **observation: Any) -> None:
        """Add to the history."""
        self.history.append(observation)

    def to_keep(self) -> dict[str, Any] | None:
        """What is to be saved; None: nothing was remembered."""
        if not self._state and not self._history:
            return None
        return {"state": self._state or {}, "history": list(self._history or ())}

    def take_back(self, kept: dict[str, Any]) -> None:
        """Take back what `to_keep` gave."""
        self._state = dict(kept.get("state", {}))
        self._history = deque(kept.get("history", ()), maxlen=MAX_HISTORY)
