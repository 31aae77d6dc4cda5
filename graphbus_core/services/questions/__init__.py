"""What waits for an answer, and who may give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.participants.people.desk import LEAST_S, MOST_S, USUAL_S
    from graphbus_core.participants.people.durable_desk import FOLDER as DESK, DurableDesk, DurableQuestion
    from graphbus_core.participants.people.terminal import TerminalParticipant, read_line
    from graphbus_core.services.questions.seats import OPERATOR, Seat, SeatLinks, name_table

__all__ = [
    "DESK",
    "LEAST_S",
    "MOST_S",
    "OPERATOR",
    "USUAL_S",
    "DurableDesk",
    "DurableQuestion",
    "Seat",
    "SeatLinks",
    "TerminalParticipant",
    "name_table",
    "read_line",
]

_HOMES = {
    "graphbus_core.participants.people.terminal": "read_line TerminalParticipant",
    "graphbus_core.participants.people.durable_desk": "FOLDER:DESK DurableDesk DurableQuestion",
    "graphbus_core.participants.people.desk": "LEAST_S MOST_S USUAL_S",
    "graphbus_core.services.questions.seats": "OPERATOR Seat SeatLinks name_table",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
