"""People who may be away: their questions lie in the run's folder, and a link reads and answers each seat's."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from graphbus_core.consent.files import Run
from graphbus_core.consent.links import keys_of
from graphbus_core.consent.prepared import Prepared
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.core import Participant

Tell = Callable[[str], None]


def seconds(text: str) -> float:
    """A length of time like `90s`, `30m`, `12h`, `3d`. Raises UsageError."""
    # At most six digits: a deadline of a thousand years overflows the clock, and a bound is clearer than that error.
    found = re.fullmatch(r"\s*([0-9]{1,6}(?:\.[0-9]{1,3})?)\s*([smhd])\s*", text)
    if found is None or float(found[1]) <= 0:
        raise UsageError(f"--deadline {text!r}: write a number and s, m, h or d, like 3d.")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[found[2]]


def behind_links(prepared: Prepared, kept: Run, people: Sequence[str], tell: Tell) -> Participant:
    """The seat of these people; each has a key of its own, kept in the run's folder."""
    from graphbus_core.participants.people.seat_link import SeatLink, desk_of, notifier

    request = prepared.request
    keys = keys_of(kept, people)
    notify = notifier(request.notify, keys, tell) if request.notify else None
    deadline = seconds(request.deadline) if request.deadline else None
    return SeatLink(desk_of(kept.folder), kept.id, deadline, notify)


def linked(prepared: Prepared, kept: Run, tell: Tell) -> Prepared:
    """The same negotiation with its people behind links, where it was asked for so; else as it is."""
    people = prepared.request.humans
    if not prepared.request.links or not people:
        # Only people are replaced: a model behind a link would wait for somebody to click.
        return prepared
    seat = behind_links(prepared, kept, people, tell)
    return replace(prepared, seats={**prepared.seats, **dict.fromkeys(people, seat)})
