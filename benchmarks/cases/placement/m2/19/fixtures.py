from collections import deque
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe


class Fixtures(GraphBusNode):
    """Round robin by the circle method."""

    def __init__(self) -> None:
        super().__init__()
        self.ring: deque[str] = deque()

    @subscribe("/League/Season/Drawn")
    def draw(self, teams: list, first: str, every: int) -> dict[str, list]:
        fixed, *others = teams + ["bye"] * (len(teams) % 2)
        self.ring = deque(others)
        day, rounds = date.fromisoformat(first), []
        for n in range(len(others)):
            order = [fixed, *self.ring]
            half = len(order) // 2
            pairs = [p if n % 2 else p[::-1] for p in zip(order[:half], reversed(order[half:]))]
            rounds.append([day.strftime("%d.%m."), [" - ".join(p) for p in pairs if "bye" not in p]])
            self.ring.rotate(1)
            day += timedelta(days=every)
        return {"rounds": rounds}
