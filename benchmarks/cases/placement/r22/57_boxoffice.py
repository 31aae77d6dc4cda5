# stateful
"""Enum members carry the number of seats sold."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Section(Enum):
    STALLS = ("A", 24, 48)
    CIRCLE = ("D", 16, 36)
    GALLERY = ("K", 12, 15)

    def __init__(self, row: str, capacity: int, price: int) -> None:
        self.row = row
        self.capacity = capacity
        self.price = price
        self.taken = 0

    def labels(self, seats: int) -> list[str]:
        first = self.taken + 1
        self.taken += seats
        return [f"{self.row}{n}" for n in range(first, first + seats)]


def charge(section: Section, seats: int, member: bool) -> int:
    total = section.price * seats
    return total * 9 // 10 if member else total


class BoxOffice(GraphBusNode):
    @subscribe("/Order")
    def on_order(self, section: str, seats: int, member: bool) -> dict[str, object]:
        part = Section[section]
        if part.taken + seats > part.capacity:
            return {"sold": False, "labels": [], "due": 0}
        return {"sold": True, "labels": part.labels(seats), "due": charge(part, seats, member)}
