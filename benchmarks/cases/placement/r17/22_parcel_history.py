# pure
"""Keeps nothing: the state machine with its history is built anew from the scans that each event brings along."""
from collections import deque
from datetime import datetime, timedelta, timezone
from enum import Enum, auto
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class State(Enum):
    ANNOUNCED = auto()
    IN_HUB = auto()
    OUT = auto()
    DELIVERED = auto()
    RETURNED = auto()


class IllegalStep(Exception):
    pass


class Parcel:
    """A parcel's way from its announcement to the door."""

    steps: ClassVar[dict[tuple[State, str], State]] = {
        (State.ANNOUNCED, "hub"): State.IN_HUB,
        (State.IN_HUB, "hub"): State.IN_HUB,
        (State.IN_HUB, "van"): State.OUT,
        (State.OUT, "hub"): State.IN_HUB,
        (State.OUT, "door"): State.DELIVERED,
        (State.IN_HUB, "return"): State.RETURNED,
    }

    def __init__(self, keep: int = 3) -> None:
        self.state = State.ANNOUNCED
        self.attempts = 0
        self.last: deque[str] = deque(maxlen=keep)
        self.longest = timedelta()
        self._since: datetime | None = None

    def scan(self, code: str, at: datetime) -> None:
        if self._since is not None:
            if at < self._since:
                raise IllegalStep(f"{code} lies before the scan ahead of it")
            self.longest = max(self.longest, at - self._since)
        try:
            self.state = self.steps[self.state, code]
        except KeyError:
            raise IllegalStep(f"{code} after {self.state.name.lower()}") from None
        self._since = at
        self.attempts += self.state is State.OUT
        self.last.append(f"{code}@{at:%d.%m. %H:%M}")


def moment(text: str) -> datetime:
    parsed = datetime.fromisoformat(text)
    return parsed.replace(tzinfo=timezone.utc) if parsed.tzinfo is None else parsed.astimezone(timezone.utc)


class ParcelHistory(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._machine = Parcel

    @subscribe("/Parcels/History")
    def on_history(self, parcel: str, scans: list[str]) -> dict[str, object]:
        machine = self._machine()
        problems: list[str] = []
        for scan in scans:
            code, _, at = scan.partition(" ")
            try:
                machine.scan(code, moment(at))
            except (IllegalStep, ValueError) as problem:
                problems.append(str(problem))
        return {
            "parcel": parcel,
            "state": machine.state.name,
            "attempts": machine.attempts,
            "longest_hours": machine.longest / timedelta(hours=1),
            "last": list(machine.last),
            "problems": problems,
        }
