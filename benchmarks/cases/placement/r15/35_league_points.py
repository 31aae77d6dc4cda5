# stateful
"""Keeps special rules for good: the "own" table of an event is another name for the standard one, and |= writes to it."""
from graphbus_core import GraphBusNode, subscribe

STANDARD = {"win": 3, "draw": 1, "loss": 0, "bonus": 0}
VOLLEYBALL = {"win": 3, "draw": 0, "loss": 0, "bonus": 1}
BY_SPORT = {"football": STANDARD, "hockey": STANDARD, "volleyball": VOLLEYBALL}


def rules_for(sport: str, special: dict[str, int]) -> dict[str, int]:
    rules = BY_SPORT.get(sport, STANDARD)
    rules |= {name: points for name, points in special.items() if name in rules}
    return rules


def outcome(own: int, other: int) -> str:
    return "win" if own > other else "draw" if own == other else "loss"


class LeaguePoints(GraphBusNode):
    """Works out what a match is worth in the table of its league."""

    @subscribe("/League/Match")
    def on_match(self, sport: str, home: int, guest: int, special: dict[str, int]) -> dict[str, int]:
        rules = rules_for(sport.lower(), special)
        points = {"home": rules[outcome(home, guest)], "guest": rules[outcome(guest, home)]}
        if abs(home - guest) == 1:
            points["home" if home < guest else "guest"] += rules["bonus"]
        return points
