# pure
"""Makes the gear table of a bicycle; the sheet on the node is begun anew before anything is read from it."""
from itertools import product
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

WHEELS_MM = {"700x25": 2105, "700x35": 2168, "26x2.0": 2055, "29x2.2": 2298, "16x1.5": 1200}


class Gear(NamedTuple):
    ring: int
    cog: int

    @property
    def ratio(self) -> float:
        return self.ring / self.cog

    def speed(self, cadence: int, wheel_mm: int) -> float:
        return self.ratio * wheel_mm * cadence * 60 / 1e6


def teeth(text: str) -> list[int]:
    """'50-34' or '11,12,13' or '11-28/7' (seven evenly spread cogs)."""
    if "/" in text:
        ends, number = text.split("/")
        low, high = sorted(map(int, ends.split("-")))
        steps = int(number) - 1
        return [round(low + (high - low) * i / steps) for i in range(steps + 1)]
    return sorted({int(part) for part in text.replace("-", ",").split(",")})


class GearChart(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._lines: list[str] = []
        self._skipped = 0

    def _begin(self, title: str) -> None:
        self._lines = [title, "=" * len(title)]
        self._skipped = 0

    def _add(self, gear: Gear, wheel: int, cadence: int) -> None:
        self._lines.append(f"{gear.ring:>3}/{gear.cog:<3}{gear.ratio:6.2f}{gear.speed(cadence, wheel):7.1f} km/h")

    @subscribe("/Bicycle/Setup")
    def on_setup(self, name: str, rings: str, cogs: str, wheel: str, cadence: int) -> dict[str, object]:
        self._begin(f"{name} at {cadence}/min")
        circumference = WHEELS_MM.get(wheel, 2100)
        front, back = teeth(rings), teeth(cogs)
        gears = sorted((Gear(r, c) for r, c in product(front, back)), key=lambda g: g.ratio)
        last = 0.0
        for gear in gears:
            crossed = len(front) > 1 and (gear.ring, gear.cog) in {(front[0], back[0]), (front[-1], back[-1])}
            if crossed or gear.ratio < last * 1.03:
                self._skipped += 1
                continue
            self._add(gear, circumference, cadence)
            last = gear.ratio
        spread = gears[-1].ratio / gears[0].ratio
        return {"chart": "\n".join(self._lines), "skipped": self._skipped, "range": f"{spread:.0%}"}
