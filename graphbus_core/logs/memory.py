"""A log and an answers store that live as long as the process: for tests, simulations and dry runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphbus_core.negotiation.core import Entry, Event, Reply


class MemoryLog:
    """A list of facts."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        self.events: list[Event] = list(events)

    def append(self, events: Sequence[Event]) -> None:
        """Add facts."""
        self.events.extend(events)

    def __iter__(self) -> Iterator[Entry]:
        # Without times: what runs in memory is compared byte for byte, and a clock would make two runs differ.
        return (Entry(seq, event) for seq, event in enumerate(self.events, 1))

    def __len__(self) -> int:
        return len(self.events)


class MemoryAnswers:
    """A dictionary of replies; the first one wins."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}

    def get(self, ask_id: str) -> Reply | None:
        """The reply to this ask, or None."""
        return self.replies.get(ask_id)

    def put(self, ask_id: str, reply: Reply) -> Reply:
        """Keep a reply unless there is one."""
        return self.replies.setdefault(ask_id, reply)
