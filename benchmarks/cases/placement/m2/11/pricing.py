from bisect import bisect_left
from fractions import Fraction
from math import ceil

from graphbus_core import GraphBusNode, subscribe

ZONES = {"domestic": 1, "eu": 2, "world": 4}
STEPS = [1, 2, 5, 10, 20, 31]
PRICE = [449, 549, 799, 1049, 1649, 2399]


class _Box:
    __slots__ = ("l", "w", "h")

    def __init__(self, *sides: int) -> None:
        self.l, self.w, self.h = sorted(sides, reverse=True)

    @property
    def girth(self) -> int:
        return self.l + 2 * (self.w + self.h)

    def volumetric(self) -> Fraction:
        return Fraction(self.l * self.w * self.h, 5000)


class Postage(GraphBusNode):
    surcharge = {"bulky": 600, "long": 350}

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Parcel/Postage/Quote")
    def quote(self, grams: int, sides: list, zone: str) -> dict[str, object]:
        box = _Box(*sides)
        weight = max(Fraction(grams, 1000), box.volumetric())
        extras = [k for k, hit in (("bulky", box.girth > 300), ("long", box.l > 120)) if hit]
        if weight > STEPS[-1]:
            return {"ok": False, "reason": f"over {STEPS[-1]} kg ({ceil(weight)})"}
        cents = PRICE[bisect_left(STEPS, weight)] * ZONES[zone] + sum(map(self.surcharge.__getitem__, extras))
        return {"ok": True, "cents": cents, "extras": extras}
