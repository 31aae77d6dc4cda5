# stateful
"""Sorts the shared list of machines in place, and machines that fit equally well stay in the order an earlier job left them."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Machine:
    name: str
    width: int
    speed: int

    def misfit(self, width: int) -> int:
        return abs(self.width - width) // 100

    def minutes(self, pieces: int) -> int:
        return -(-pieces // self.speed)


MACHINES = [
    Machine("anna", 400, 12),
    Machine("berta", 620, 9),
    Machine("clara", 480, 20),
    Machine("dora", 900, 6),
    Machine("emma", 560, 15),
]


class Park:
    """A view of the machine park with a preference order."""

    def __init__(self, machines: list[Machine]) -> None:
        self._machines = machines

    def by_fit(self, width: int) -> list[Machine]:
        self._machines.sort(key=lambda m: m.misfit(width))
        return self._machines[:2]

    def __len__(self) -> int:
        return len(self._machines)


class JobPlanner(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._park = Park(MACHINES)

    @subscribe("/Plant/Job")
    def on_job(self, job: str, width: int, pieces: int) -> dict[str, object]:
        first, second = self._park.by_fit(width)
        return {
            "job": job,
            "machine": first.name,
            "minutes": first.minutes(max(0, pieces)),
            "spare": second.name,
            "of": len(self._park),
        }
