from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Graded:
    team: str
    points: float


class Quiz(GraphBusNode):
    @schema_method
    def grade(self, team: str) -> Graded:
        return Graded(team, 2.5)


class Table(GraphBusNode):
    def __init__(self):
        self.sums = {}

    @depends_on("Quiz.grade")
    @schema_method
    def add(self, team: str, points: int) -> dict[str, float]:
        self.sums[team] = self.sums.get(team, 0) + points
        return {"sum": self.sums[team]}
