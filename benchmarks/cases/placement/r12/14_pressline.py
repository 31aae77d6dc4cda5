# pure
"""A machine is made for every event and stepped through the commands of that event only."""
from __future__ import annotations

from enum import Enum, auto
from typing import Mapping

from graphbus_core import GraphBusNode, subscribe


class Mode(Enum):
    IDLE = auto()
    HEATING = auto()
    PRESSING = auto()
    FAULT = auto()


MOVES: Mapping[tuple[Mode, str], Mode] = {
    (Mode.IDLE, "start"): Mode.HEATING,
    (Mode.HEATING, "ready"): Mode.PRESSING,
    (Mode.HEATING, "stop"): Mode.IDLE,
    (Mode.PRESSING, "stop"): Mode.IDLE,
    (Mode.FAULT, "reset"): Mode.IDLE,
}


class Press:
    def __init__(self, limit: int) -> None:
        self._mode = Mode.IDLE
        self._limit = limit
        self.pieces = 0
        self.ignored: list[str] = []

    @property
    def mode(self) -> Mode:
        return self._mode

    @mode.setter
    def mode(self, new: Mode) -> None:
        self._mode = new
        if new is Mode.FAULT:
            self.pieces = max(0, self.pieces - 1)

    def __lshift__(self, command: str) -> Press:
        if command == "jam":
            self.mode = Mode.FAULT
        elif command == "stroke" and self.mode is Mode.PRESSING:
            self.pieces += 1
            if self.pieces >= self._limit:
                self.mode = Mode.IDLE
        elif (self.mode, command) in MOVES:
            self.mode = MOVES[self.mode, command]
        else:
            self.ignored.append(command)
        return self


class PressReplay(GraphBusNode):
    """Replays the recorded shift of a press, as one event holds it."""

    def __init__(self) -> None:
        super().__init__()
        self.limit = 500

    @subscribe("/Shift/Recorded")
    def on_shift(self, press: str, commands: list[str]) -> dict[str, object]:
        machine = Press(self.limit)
        for command in commands:
            machine << command.strip().lower()
        return {"press": press, "mode": machine.mode.name, "pieces": machine.pieces, "ignored": len(machine.ignored)}
