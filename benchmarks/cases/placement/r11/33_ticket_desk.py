# stateful
"""Counts assignments on the members of an enum, which are objects that live as long as the program."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Desk(Enum):
    BILLING = ("billing", 2)
    TECHNICAL = ("technical", 3)
    GENERAL = ("general", 5)

    def __init__(self, label: str, seats: int) -> None:
        self.label = label
        self.seats = seats
        self.turn = 0

    def seat(self) -> str:
        self.turn = self.turn % self.seats + 1
        return f"{self.label}-{self.turn}"


WORDS = {
    Desk.BILLING: ("invoice", "refund", "charge"),
    Desk.TECHNICAL: ("error", "crash", "login", "slow"),
}


def choose(subject: str) -> Desk:
    lowered = subject.lower()
    for desk, words in WORDS.items():
        if any(word in lowered for word in words):
            return desk
    return Desk.GENERAL


class TicketDesk(GraphBusNode):
    @subscribe("/Support/Ticket")
    def on_ticket(self, number: int, subject: str) -> dict:
        desk = choose(subject)
        return {"ticket": number, "desk": desk.name.lower(), "seat": desk.seat()}
