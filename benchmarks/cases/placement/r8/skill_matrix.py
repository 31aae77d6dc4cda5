# pure
"""Keeps nothing: the column numbers come from a table inside the call, started afresh each time."""
from collections import defaultdict
from itertools import count

from graphbus_core import GraphBusNode, subscribe

LEVELS = {"novice": 1, "able": 2, "expert": 3}


def columns(people: dict[str, dict[str, str]]) -> dict[str, int]:
    number: defaultdict[str, int] = defaultdict(count().__next__)
    for name in sorted(people):
        for skill in sorted(people[name]):
            number[skill]
    return dict(number)


def matrix(people: dict[str, dict[str, str]], index: dict[str, int]) -> list[list[int]]:
    rows = []
    for name in sorted(people):
        row = [0] * len(index)
        for skill, level in people[name].items():
            row[index[skill]] = LEVELS.get(level, 0)
        rows.append(row)
    return rows


def gaps(rows: list[list[int]], index: dict[str, int]) -> list[str]:
    best = [max(column) for column in zip(*rows)]
    return [skill for skill, i in index.items() if best[i] < LEVELS["expert"]]


class SkillMatrix(GraphBusNode):
    @subscribe("/Teams/Skills")
    def on_skills(self, team: str, people: dict[str, dict[str, str]]) -> dict[str, object]:
        index = columns(people)
        rows = matrix(people, index)
        return {"team": team, "columns": list(index), "rows": rows, "gaps": gaps(rows, index)}
