from dataclasses import dataclass, field
from typing import NamedTuple

TEAMS = ("Reds", "Blues", "Owls", "Foxes")


class Score(NamedTuple):
    home: str
    away: str
    goals: tuple[int, int]

    def points(self, team: str) -> int:
        ours, theirs = self.goals if team == self.home else self.goals[::-1]
        return 3 if ours > theirs else int(ours == theirs)


@dataclass
class Club:
    name: str
    form: list[int] = field(default_factory=list)
    rating: float = 1500.0


def roster(blank=Club("")) -> dict[str, Club]:
    clubs = dict.fromkeys(TEAMS, blank)
    for team in TEAMS[:2]:
        clubs[team] = Club(team)
    return clubs


referees = map(str.title, sorted({"ansell", "brook", "cole", "drury", "egan"}))
