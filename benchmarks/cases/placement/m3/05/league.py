"""League table and clubs."""
import enum
from dataclasses import dataclass


class Outcome(enum.IntEnum):
    LOSS = 0
    DRAW = 1
    WIN = 3

    @classmethod
    def of(cls, mine: int, theirs: int) -> "Outcome":
        if mine == theirs:
            return cls.DRAW
        return cls.WIN if mine > theirs else cls.LOSS


@dataclass(frozen=True, slots=True)
class Club:
    short: str
    full: str
    rating: int
    home_edge: int = 60


CLUBS = {c.short: c for c in (Club("HAR", "Harbour FC", 1510), Club("MIL", "Mill Rovers", 1440), Club("OAK", "Oakfield", 1625, 80))}


class Table:
    points: dict[str, int] = dict.fromkeys(CLUBS, 0)

    def add(self, club: str, outcome: Outcome) -> None:
        self.points[club] = self.points.get(club, 0) + outcome

    def ranked(self) -> list[str]:
        return sorted(self.points, key=lambda c: (-self.points[c], c))
