# stateful
"""Keeps tubes in a default argument, so a plan that is not given a rack goes on with the old one."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Tube:
    sample: str
    microlitres: int
    purpose: str


class Planner(Protocol):
    def plan(self, sample: str, volume: int) -> list[Tube]: ...


@dataclass(frozen=True)
class GreedyPlanner:
    needs: tuple[tuple[str, int], ...] = (("serology", 400), ("chemistry", 300), ("archive", 500))
    dead_volume: int = 80

    def plan(self, sample: str, volume: int, rack: list[Tube] = []) -> list[Tube]:
        left = volume - self.dead_volume
        for purpose, need in self.needs:
            if need <= left:
                rack.append(Tube(sample, need, purpose))
                left -= need
        return [tube for tube in rack if tube.sample == sample]


class AliquotNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.planner: Planner = GreedyPlanner()

    @subscribe("/Lab/PrimaryTube")
    def on_tube(self, sample: str, volume: int) -> dict[str, object]:
        tubes = self.planner.plan(sample, volume)
        return {
            "sample": sample,
            "tubes": [f"{tube.purpose}:{tube.microlitres}" for tube in tubes],
            "used": sum(tube.microlitres for tube in tubes),
        }
