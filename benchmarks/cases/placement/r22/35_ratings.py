# stateful
"""Membership tests eat up a map object made once."""
from graphbus_core import GraphBusNode, subscribe

MINIMUM = {"U": 0, "PG": 6, "12": 12, "15": 15, "18": 18}
MATINEE = "u pg 12 u"


class Schedule:
    def __init__(self, allowed: str) -> None:
        self.allowed = map(str.upper, allowed.split())

    def fits(self, rating: str) -> bool:
        return rating in self.allowed


def admitted(rating: str, age: int) -> bool:
    return age >= MINIMUM.get(rating, 18)


class Cinema(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.matinee = Schedule(MATINEE)

    @subscribe("/Ticket")
    def on_ticket(self, film: str, rating: str, age: int) -> dict[str, object]:
        mark = rating.upper()
        if not admitted(mark, age):
            return {"film": film, "sold": False, "why": f"under {MINIMUM[mark]}"}
        price = 6.5 if self.matinee.fits(mark) else 11.0
        return {"film": film, "sold": True, "price": price}
