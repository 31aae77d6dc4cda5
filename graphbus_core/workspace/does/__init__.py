"""What a front end sets going, and what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.participants.people.human import TerminalParticipant, read_line
    from graphbus_core.participants.people.lasting import FOLDER as DESK, LastingDesk
    from graphbus_core.participants.people.leases import LEAST_S, MOST_S, USUAL_S

__all__ = ["DESK", "LEAST_S", "MOST_S", "USUAL_S", "LastingDesk", "TerminalParticipant", "read_line"]

_HOMES = {
    "graphbus_core.participants.people.human": "read_line TerminalParticipant",
    "graphbus_core.participants.people.lasting": "FOLDER:DESK LastingDesk",
    "graphbus_core.participants.people.leases": "LEAST_S MOST_S USUAL_S",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
