"""Votes stay shut until all have voted: of a check that is open, what is shown is who has answered, and not what.

The log has each vote as it falls. What is shown of a log goes through here: pages, the API, the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphbus_core.negotiation.consent.events import CheckCalled, CheckFailed, Consented, Ended, Objected, StoodAside
from graphbus_core.negotiation.core import Event

VOTES = (Consented, Objected, StoodAside)


@dataclass(frozen=True, slots=True)
class Voted(Event, kind="voted"):
    """An advocate has answered the check; what, is told when all have. It stands in no log."""

    advocate: str
    number: int


def hide_vote(event: Event) -> Event:
    """The fact of a vote without the vote; any other fact as it is."""
    return Voted(event.advocate, event.number) if isinstance(event, VOTES) else event


def hide_open_votes(events: Sequence[Event]) -> list[Event]:
    """All facts, without the votes of a check that is not over."""
    opened = len(events)  # where the open check begins
    for place, event in enumerate(events):
        if isinstance(event, CheckCalled):
            opened = place
        elif isinstance(event, CheckFailed | Ended):
            opened = len(events)
    return [*events[:opened], *map(hide_vote, events[opened:])]
