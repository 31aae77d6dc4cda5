"""Tasks and what may happen to them."""
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    OPEN = "open"
    RUNNING = "running"
    DONE = "done"


class Refused(Exception):
    pass


ALLOWED = {
    State.OPEN: {State.RUNNING},
    State.RUNNING: {State.DONE, State.OPEN},
    State.DONE: set(),
}


@dataclass
class Task:
    name: str
    state: State = State.OPEN

    def to(self, state):
        if state not in ALLOWED[self.state]:
            raise Refused(f"{self.name}: {self.state.value} -> {state.value}")
        self.state = state
