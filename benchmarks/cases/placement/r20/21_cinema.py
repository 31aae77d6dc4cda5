# stateful
"""Sells seats; the in-place union works on the set of the class, not on a copy."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Hall(Enum):
    ROYAL = (12, 20, 1390)
    STUDIO = (6, 9, 990)
    CELLAR = (4, 7, 850)

    @property
    def rows(self) -> int:
        return self.value[0]

    @property
    def price(self) -> int:
        return self.value[2]

    def has(self, row: int, seat: int) -> bool:
        return 1 <= row <= self.value[0] and 1 <= seat <= self.value[1]


def parse_seats(text: str) -> list[tuple[int, int]]:
    """'3/4-6, 5/1' -> [(3, 4), (3, 5), (3, 6), (5, 1)]"""
    seats: list[tuple[int, int]] = []
    for part in filter(None, (p.strip() for p in text.split(","))):
        row, _, numbers = part.partition("/")
        first, _, last = numbers.partition("-")
        seats.extend((int(row), n) for n in range(int(first), int(last or first) + 1))
    return seats


def discount(persons: int, student: bool) -> float:
    if persons >= 10:
        return 0.20
    return 0.15 if student else 0.0


class BoxOffice(GraphBusNode):
    taken: set[tuple[str, int, int]] = set()

    @subscribe("/Cinema/Purchase")
    def on_purchase(self, hall: str, seats: str, student: bool) -> dict[str, object]:
        room = Hall[hall.upper()]
        wanted = {(room.name, row, seat) for row, seat in parse_seats(seats) if room.has(row, seat)}
        clash = sorted(wanted & self.taken)
        if clash or not wanted:
            return {"sold": False, "clash": [f"{row}/{seat}" for _, row, seat in clash]}
        self.taken |= wanted
        total = len(wanted) * room.price * (1 - discount(len(wanted), student))
        return {"sold": True, "seats": len(wanted), "total": f"{total / 100:.2f}"}
