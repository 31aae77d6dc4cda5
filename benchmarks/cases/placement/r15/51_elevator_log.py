# pure
"""Keeps nothing: the machine whose state changes is built for each log and thrown away."""
from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from graphbus_core import GraphBusNode, subscribe


class State(Enum):
    IDLE = auto()
    MOVING = auto()
    OPEN = auto()
    STUCK = auto()

    @property
    def safe(self) -> bool:
        return self is not State.STUCK


class Illegal(Exception):
    def __init__(self, state: State, command: str) -> None:
        super().__init__(f"{command} while {state.name.lower()}")
        self.add_note(f"state {state.value}")


class Elevator:
    def __init__(self, floor: int = 0) -> None:
        self.state = State.IDLE
        self.floor = floor
        self.travelled = 0
        self.history: list[str] = []
        self._moves: dict[tuple[State, str], Callable[[int], State]] = {
            (State.IDLE, "go"): self._go,
            (State.MOVING, "stop"): lambda _: State.IDLE,
            (State.IDLE, "open"): lambda _: State.OPEN,
            (State.OPEN, "close"): lambda _: State.IDLE,
            (State.MOVING, "alarm"): lambda _: State.STUCK,
            (State.STUCK, "reset"): lambda _: State.IDLE,
        }

    def _go(self, floor: int) -> State:
        self.travelled += abs(floor - self.floor)
        self.floor = floor
        return State.MOVING

    def feed(self, text: str) -> None:
        command, _, argument = text.partition(" ")
        move = self._moves.get((self.state, command))
        if move is None:
            raise Illegal(self.state, command)
        self.state = move(int(argument or 0))
        self.history.append(self.state.name[0])


class ElevatorLog(GraphBusNode):
    @subscribe("/Building/ElevatorLog")
    def on_log(self, shaft: str, commands: list[str]) -> dict[str, object]:
        elevator = Elevator()
        faults: list[str] = []
        for command in commands:
            try:
                elevator.feed(command)
            except Illegal as error:
                faults.append(f"{error} ({'; '.join(error.__notes__)})")
            except ValueError:
                faults.append(f"bad floor in {command!r}")
        return {
            "shaft": shaft,
            "floor": elevator.floor,
            "travelled": elevator.travelled,
            "history": "".join(elevator.history),
            "safe": elevator.state.safe,
            "faults": faults,
        }
