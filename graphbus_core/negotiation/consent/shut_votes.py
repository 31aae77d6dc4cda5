"""Votes stay shut until all have voted: of a check that is open, what is shown is who has answered, and not what.

The log has each vote as it falls. What is shown of a log goes through here: pages, the API, the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphbus_core.negotiation.consent.events import CheckCalled, CheckFailed, Consented, Ended, Objected, StoodAside
from graphbus_core.negotiation.core import Event

VOTES = (Consented, Objected, StoodAside)
VOTED = "voted"  # the row that stands for a vote: somebody has answered; what, is told when all have


def build_shown_fact(event: Event, *, is_open: bool) -> tuple[str, dict[str, Any]]:
    """Kind and data of a fact as they are shown. `is_open`: the check that it may be a vote in is not over."""
    if is_open and isinstance(event, VOTES):
        return VOTED, {"advocate": event.advocate, "number": event.number}
    return event.kind, event.to_dict()


def find_open_check(events: Sequence[Event]) -> int:
    """The place of the fact that a check begins with which is not over; the count of facts where there is none."""
    opened = len(events)
    for place, event in enumerate(events):
        if isinstance(event, CheckCalled):
            opened = place
        elif isinstance(event, CheckFailed | Ended):
            opened = len(events)
    return opened
