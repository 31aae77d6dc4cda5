# pure
"""Keeps nothing: the rotation of players is a deque inside the function, made from the event's names."""
from collections import deque
from itertools import cycle, zip_longest

from graphbus_core import GraphBusNode, subscribe

BYE = "(bye)"
TABLE_COLOURS = ("red", "green", "blue")


def rounds(players: list[str]) -> list[list[tuple[str, str]]]:
    names = list(dict.fromkeys(players))
    if len(names) % 2:
        names.append(BYE)
    fixed, rest = names[0], deque(names[1:])
    plan = []
    for _ in range(len(names) - 1):
        line = [fixed, *rest]
        half = len(line) // 2
        plan.append(list(zip(line[:half], reversed(line[half:]))))
        rest.rotate(1)
    return plan


def seated(pairs: list[tuple[str, str]]) -> list[str]:
    colours = cycle(TABLE_COLOURS)
    played = [pair for pair in pairs if BYE not in pair]
    return [f"{next(colours)}: {a} v {b}" for a, b in played]


class Tournament(GraphBusNode):
    @subscribe("/Chess/Players")
    def on_players(self, club: str, players: list[str]) -> dict[str, object]:
        if len(set(players)) < 2:
            return {"club": club, "rounds": []}
        plan = [seated(pairs) for pairs in rounds(players)]
        by_table = [list(filter(None, row)) for row in zip_longest(*plan)]
        return {"club": club, "rounds": plan, "first_table": by_table[0]}
