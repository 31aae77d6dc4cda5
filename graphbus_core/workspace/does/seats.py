"""The seats of a decision behind links: what the holder of a key sees and answers. Nothing else is reached by a key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphbus_core.consent.links import picture_of, seat_of, seen, take
from graphbus_core.negotiation.core import Json


class LinkedSeats:
    """The seats of all runs of one project folder."""

    def __init__(self, project: Path) -> None:
        self.project = project

    def seen(self, key: str) -> dict[str, Any] | None:
        """What this key shows; None for no key."""
        seat = seat_of(self.project, key)
        return None if seat is None else seen(seat)

    def picture(self, key: str) -> str | None:
        """The picture of the ended negotiation that this key opens a seat of; None for no key, or no picture."""
        seat = seat_of(self.project, key)
        return None if seat is None else picture_of(seat)

    def answer(self, key: str, question_id: str, body: Json) -> str | None:
        """Take an answer: why it is none, or None. Raises UsageError for no open question, KeyError for no key."""
        seat = seat_of(self.project, key)
        if seat is None:
            raise KeyError(key)
        return take(seat, question_id, body)
