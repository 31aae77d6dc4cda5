"""Who may see which facts: posting costs the size of the audience, a view is made only when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge

from graphbus_core.negotiation.core.protocol import AnswerRefused, Event


class Feed:
    """All facts by sequence number, and for every participant the ones that are its own.

    A pin counts what the protocol has folded, so refused answers, which the session keeps to itself, do not count:
    how often somebody else stammers must not move what a participant sees.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._folded: list[int] = []  # per event: how many facts the protocol had folded with it
        self._public: list[int] = []
        self._own: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self._events)

    def post(self, event: Event) -> None:
        """Add the next fact."""
        self._events.append(event)
        self._folded.append((self._folded[-1] if self._folded else 0) + (not isinstance(event, AnswerRefused)))
        seq = len(self._events)
        audience = event.seen_by()
        if audience is None:
            self._public.append(seq)
        else:
            for name in dict.fromkeys(audience):
                self._own.setdefault(name, []).append(seq)

    def view(self, name: str, pin: int | None = None) -> Iterator[tuple[int, Event]]:
        """What `name` may see, oldest first, up to and with the `pin`-th fact of the protocol."""
        for seq in merge(self._public, self._own.get(name, ())):
            if pin is not None and self._folded[seq - 1] > pin:
                return
            yield seq, self._events[seq - 1]

    def all(self) -> list[Event]:
        """Every fact, for whoever keeps the whole."""
        return list(self._events)
