# pure
"""Pairs the players of one lobby with a heap that is built and emptied inside of the event."""
from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import total_ordering
from typing import TypedDict

from graphbus_core import GraphBusNode, subscribe


class Entrant(TypedDict):
    name: str
    wins: int
    losses: int


@total_ordering
@dataclass(eq=False)
class Player:
    name: str
    wins: int
    losses: int
    streak: list[str] = field(default_factory=list)

    @property
    def rating(self) -> int:
        games = self.wins + self.losses
        return 1000 + (400 * (self.wins - self.losses) // games if games > 0 else 0)

    def _key(self) -> tuple[int, str]:
        return (-self.rating, self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Player) and self._key() == other._key()

    def __lt__(self, other: Player) -> bool:
        return self._key() < other._key()


class Lobby:
    def __init__(self, players: list[Player]) -> None:
        self._heap = players
        heapq.heapify(self._heap)

    def __bool__(self) -> bool:
        return len(self._heap) > 1

    def __next__(self) -> tuple[Player, Player]:
        if not self:
            raise StopIteration
        return heapq.heappop(self._heap), heapq.heappop(self._heap)

    def __iter__(self) -> Iterator[tuple[Player, Player]]:
        return self

    @property
    def waiting(self) -> list[str]:
        return [player.name for player in self._heap]


class MatchMaker(GraphBusNode):
    GAP = 250

    @subscribe("/Lobby/Full")
    def on_full(self, lobby: str, entrants: list[Entrant]) -> dict[str, object]:
        room = Lobby([Player(e["name"], max(0, e["wins"]), max(0, e["losses"])) for e in entrants])
        matches = []
        for strong, weak in room:
            gap = strong.rating - weak.rating
            matches.append(f"{strong.name}-{weak.name}" + ("*" if gap > self.GAP else ""))
        return {"lobby": lobby, "matches": matches, "waiting": room.waiting}
