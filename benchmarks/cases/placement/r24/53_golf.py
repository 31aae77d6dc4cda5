# pure
"""Stableford points come from the card that arrives and the course, which is a tuple."""
from typing import List, NamedTuple, Tuple

from graphbus_core import GraphBusNode, subscribe


class Hole(NamedTuple):
    par: int
    index: int


COURSE: Tuple[Hole, ...] = (Hole(4, 2), Hole(5, 1), Hole(3, 4), Hole(4, 3))
WORDS = {-2: "eagle", -1: "birdie", 0: "par", 1: "bogey", 2: "double bogey"}


def received(handicap: int, hole: Hole) -> int:
    every, rest = divmod(handicap, len(COURSE))
    return every + (1 if hole.index <= rest else 0)


class CardSecretary(GraphBusNode):
    def points(self, strokes: int, hole: Hole, handicap: int) -> int:
        net = strokes - received(handicap, hole)
        return max(0, 2 + hole.par - net)

    @subscribe("/golf/card")
    def on_card(self, strokes: List[int], handicap: int) -> dict:
        if len(strokes) != len(COURSE):
            return {"valid": False}
        points, words = [], []
        for taken, hole in zip(strokes, COURSE):
            points.append(self.points(taken, hole, handicap))
            words.append(WORDS.get(taken - hole.par, "other"))
        gross = sum(strokes)
        # countback: the last half of the round decides between equals
        half = len(points) // 2
        return {
            "valid": True,
            "gross": gross,
            "net": gross - handicap,
            "points": sum(points),
            "countback": sum(points[half:]),
            "card": words,
        }
