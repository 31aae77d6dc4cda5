# pure
"""Keeps nothing: the machine starts anew for each event and runs over the list that the event brings."""
from enum import Enum, auto
from typing import Final

from graphbus_core import GraphBusNode, subscribe


class State(Enum):
    LOCKED = auto()
    OPEN = auto()
    ALARM = auto()


class Input(Enum):
    CARD = "c"
    PUSH = "p"
    RESET = "r"


RULES: Final = {
    (State.LOCKED, Input.CARD): (State.OPEN, "unlock"),
    (State.LOCKED, Input.PUSH): (State.ALARM, "siren"),
    (State.OPEN, Input.PUSH): (State.LOCKED, "count"),
    (State.OPEN, Input.CARD): (State.OPEN, "thank"),
    (State.ALARM, Input.RESET): (State.LOCKED, "silence"),
}


class Machine:
    def __init__(self) -> None:
        self.state = State.LOCKED
        self.passed = 0
        self.actions: list[str] = []

    def feed(self, signal: Input) -> None:
        self.state, action = RULES.get((self.state, signal), (self.state, "ignore"))
        self.actions.append(action)
        self.passed += action == "count"


class Turnstile(GraphBusNode):
    """Replays the record of one gate for the auditors."""

    @subscribe("/Gates/Record")
    def on_record(self, gate: str, record: str) -> dict[str, object]:
        machine = Machine()
        for letter in record:
            try:
                machine.feed(Input(letter))
            except ValueError:
                machine.actions.append("?")
        return {
            "gate": gate,
            "end": machine.state.name.lower(),
            "passed": machine.passed,
            "actions": machine.actions,
        }
