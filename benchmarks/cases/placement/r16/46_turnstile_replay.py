# pure
"""Keeps nothing: the whole history of a gate comes in the event and is replayed from the start."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto

from graphbus_core import GraphBusNode, subscribe


class State(Enum):
    LOCKED = auto()
    OPEN = auto()
    ALARM = auto()


TRANSITIONS: dict[tuple[State, str], tuple[State, str]] = {
    (State.LOCKED, "coin"): (State.OPEN, "unlock"),
    (State.LOCKED, "push"): (State.LOCKED, "deny"),
    (State.OPEN, "push"): (State.LOCKED, "pass"),
    (State.OPEN, "coin"): (State.OPEN, "refund"),
    (State.ALARM, "key"): (State.LOCKED, "reset"),
}


@dataclass
class Gate:
    state: State = State.LOCKED
    denied: int = 0
    log: Counter[str] = field(default_factory=Counter)

    def handle(self, signal: str) -> None:
        self.state, action = TRANSITIONS.get((self.state, signal), (self.state, "nothing"))
        self.log[action] += 1
        self.denied = self.denied + 1 if action == "deny" else 0
        if self.denied >= 3:
            self.state = State.ALARM
            self.log["alarm"] += 1
            self.denied = 0

    def replay(self, signals: list[str]) -> Gate:
        for signal in signals:
            self.handle(signal.lower())
        return self


class Gates(dict[str, Gate]):
    def __missing__(self, name: str) -> Gate:
        return self.setdefault(name, Gate())


class TurnstileReplay(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.gates = Gates()

    @subscribe("/Metro/Day")
    def on_day(self, signals: list[str]) -> dict[str, object]:
        self.gates = Gates()
        for entry in signals:
            name, _, signal = entry.partition(" ")
            self.gates[name].handle(signal)
        return {
            name: {"state": gate.state.name, **dict(sorted(gate.log.items()))}
            for name, gate in sorted(self.gates.items())
        }
