# pure
"""Keeps nothing: a small class of the domain is made per event and walks the ladder."""
from graphbus_core import GraphBusNode, subscribe

LADDER = [230, 140, 100, 85, 70, 60, 52, 45, 40, 35, 30]
FALL = {0: -1, 1: 2, 2: 4}


class Ladder:
    def __init__(self, step: int) -> None:
        self.step = step
        self.history = [step]

    def year(self, accidents: int) -> None:
        move = -FALL[accidents] if accidents in FALL else -len(LADDER)
        self.step = max(0, min(len(LADDER) - 1, self.step + move))
        self.history.append(self.step)

    @property
    def percent(self) -> int:
        return LADDER[self.step]


class NoClaimsBonus(GraphBusNode):
    base_premium = 80_000

    @subscribe("/Motor/Bonus")
    def bonus(self, start: int, years: list[int]) -> dict[str, object]:
        ladder = Ladder(max(0, min(start, len(LADDER) - 1)))
        for accidents in years:
            ladder.year(accidents)
        premium = self.base_premium * ladder.percent // 100
        best = max(ladder.history)
        return {
            "step": ladder.step,
            "percent": ladder.percent,
            "premium": premium,
            "lost": best - ladder.step,
        }
