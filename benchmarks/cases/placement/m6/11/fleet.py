from collections import deque
from dataclasses import dataclass

from roads import way


@dataclass(frozen=True)
class Van:
    plate: str
    max_kg: int
    speed: int

    def minutes(self, km: int) -> int:
        return -(-km * 60 // self.speed)


VANS = deque([Van("KN-1", 500, 50), Van("KN-2", 900, 40), Van("KN-3", 1500, 30)])
SLOWEST = min(VANS, key=lambda van: van.speed)


def pick(kg: int, vans: deque[Van] = VANS) -> Van | None:
    """The next van in turn that can carry the load."""
    for _ in range(len(vans)):
        van = vans[0]
        vans.rotate(-1)
        if van.max_kg >= kg:
            return van
    return None


def tour(stops: list[str], home: str = "depot") -> tuple[int, list[str]]:
    """Nearest stop first, then home again."""
    left = sorted(set(stops))
    here, total, order = home, 0, []
    while left:
        nearest = min(left, key=lambda stop: (way(here, stop)[0], stop))
        left.remove(nearest)
        total += way(here, nearest)[0]
        order.append(nearest)
        here = nearest
    return total + way(here, home)[0], order
