"""League tables out of a feed of results."""
from collections import Counter
from typing import NamedTuple

from graphbus_core import GraphBusNode, depends_on, schema_method


class Match(NamedTuple):
    day: int
    first: str
    second: str
    first_goals: int
    second_goals: int


FEED = (
    Match(1, "Reds", "Blues", 2, 0),
    Match(2, "Greens", "Reds", 3, 1),
    Match(2, "Blues", "Whites", 1, 1),
)


class ResultFeed(GraphBusNode):
    @schema_method(
        input_schema={"team": str},
        output_schema={"team": str, "first_goals": int, "second_goals": int},
    )
    def latest(self, team):
        played = [m for m in FEED if team in (m.first, m.second)]
        match = max(played, key=lambda m: m.day)
        return {
            "team": team,
            "first_goals": match.first_goals,
            "second_goals": match.second_goals,
        }


class Standings(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.points = Counter()
        self.difference = Counter()

    @depends_on("ResultFeed.latest")
    @schema_method(
        input_schema={"team": str, "goals_for": int, "goals_against": int},
        output_schema={"points": int},
    )
    def record(self, team, goals_for, goals_against):
        self.difference[team] += goals_for - goals_against
        if goals_for > goals_against:
            self.points[team] += 3
        elif goals_for == goals_against:
            self.points[team] += 1
        return {"points": self.points[team]}
