# pure
"""Keeps nothing: seeds are ordered by a recursive function and rounds come from a generator that ends with the event."""
from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from graphbus_core import GraphBusNode, subscribe

ROUNDS = {2: "final", 4: "semi-finals", 8: "quarter-finals", 16: "last sixteen", 32: "last thirty-two"}
BYE = "-"


@cache
def seeding(size: int) -> tuple[int, ...]:
    if size == 1:
        return (1,)
    return tuple(seed for top in seeding(size // 2) for seed in (top, size + 1 - top))


def draw(players: list[str]) -> list[str]:
    size = 1
    while size < len(players):
        size *= 2
    padded = players + [BYE] * (size - len(players))
    return [padded[seed - 1] for seed in seeding(size)]


def duel(a: str, b: str, strength: dict[str, float]) -> str:
    if BYE in (a, b):
        return a if b == BYE else b
    return max((a, b), key=lambda name: (strength.get(name, 0.0), name))


def play(field: list[str], strength: dict[str, float]) -> Iterator[tuple[str, list[str], list[str]]]:
    while len(field) > 1:
        pairs = list(zip(field[::2], field[1::2]))
        label = ROUNDS.get(len(field), f"round of {len(field)}")
        field = [duel(a, b, strength) for a, b in pairs]
        yield label, [f"{a} v {b}" for a, b in pairs if BYE not in (a, b)], field


class Tournament(GraphBusNode):
    @subscribe("/Tennis/Entries")
    def on_entries(self, entries: dict[str, float], upsets: list[str]) -> dict[str, object]:
        if not entries:
            return {"error": "no entries"}
        order = sorted(entries, key=lambda name: (-entries[name], name))
        form = {name: points * (3 if name in upsets else 1) for name, points in entries.items()}
        rounds: dict[str, list[str]] = {}
        winner = order[0]
        for label, matches, left in play(draw(order), form):
            rounds[label] = matches
            winner = left[0]
        return {"rounds": rounds, "winner": winner}
