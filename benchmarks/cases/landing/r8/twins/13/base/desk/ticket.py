"""Tickets and the states they go through."""
from __future__ import annotations

import enum
from dataclasses import dataclass, field


class State(enum.Enum):
    NEW = "new"
    OPEN = "open"
    SOLVED = "solved"
    CLOSED = "closed"


MOVES: dict[State, set[State]] = {
    State.NEW: {State.OPEN, State.CLOSED},
    State.OPEN: {State.SOLVED, State.CLOSED},
    State.SOLVED: {State.OPEN, State.CLOSED},
    State.CLOSED: set(),
}


class BadMove(ValueError):
    pass


@dataclass
class Ticket:
    title: str
    opened: int
    state: State = State.NEW
    log: list[tuple[int, State]] = field(default_factory=list)

    def move(self, to: State, at: int) -> None:
        if to not in MOVES[self.state]:
            raise BadMove(f"{self.state.value} -> {to.value}")
        self.state = to
        self.log.append((at, to))
