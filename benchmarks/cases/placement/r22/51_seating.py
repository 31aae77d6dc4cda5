# stateful
"""Keeps the best auditions of each section in heaps."""
import heapq
from dataclasses import dataclass, field

from graphbus_core import GraphBusNode, subscribe

DESKS = {"violin": 3, "cello": 2}


@dataclass(order=True)
class Player:
    score: int
    name: str = field(compare=True)


@dataclass
class Section:
    size: int
    heap: list[Player] = field(default_factory=list)

    def offer(self, player: Player) -> Player | None:
        if len(self.heap) < self.size:
            heapq.heappush(self.heap, player)
            return None
        return heapq.heappushpop(self.heap, player)


class Audition(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.sections = {name: Section(size) for name, size in DESKS.items()}

    @subscribe("/Audition")
    def on_audition(self, name: str, section: str, score: int) -> dict[str, object]:
        player = Player(score, name)
        dropped = self.sections[section].offer(player)
        if dropped is player:
            return {"name": name, "seat": False}
        return {"name": name, "seat": True, "replaces": dropped.name if dropped else None}
