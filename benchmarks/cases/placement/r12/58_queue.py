# stateful
"""The default factory of the ticket number is the next method of one counter, so numbers run on from event to event."""
from dataclasses import dataclass, field
from itertools import count

from graphbus_core import GraphBusNode, subscribe

DUNGEONS = {"crypt": 3, "forge": 5, "spire": 8}


@dataclass(order=True, frozen=True)
class Ticket:
    weight: int
    player: str = field(compare=False)
    number: int = field(default_factory=count(1).__next__)

    @property
    def code(self) -> str:
        return f"{self.player[:3].upper()}-{self.number:04d}"


@dataclass(frozen=True)
class Party:
    dungeon: str
    tickets: tuple[Ticket, ...]

    @classmethod
    def form(cls, dungeon: str, players: list[str], levels: list[int]) -> "Party":
        tickets = sorted(Ticket(-level, name) for name, level in zip(players, levels))
        return cls(dungeon, tuple(tickets[: DUNGEONS.get(dungeon, 4)]))

    def __iter__(self):
        return iter(self.tickets)


class DungeonQueue(GraphBusNode):
    @subscribe("/Dungeon/Apply")
    def on_apply(self, dungeon: str, players: list[str], levels: list[int]) -> dict[str, object]:
        party = Party.form(dungeon.lower(), players, levels)
        return {
            "dungeon": party.dungeon,
            "leader": next((t.player for t in party), None),
            "codes": [t.code for t in party],
        }
