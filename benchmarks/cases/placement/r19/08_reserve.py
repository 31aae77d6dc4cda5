# pure
"""Dispatch functions are registered at import, and statistics are taken over the list within the event."""
import statistics
from bisect import bisect_left
from collections import ChainMap, deque
from fractions import Fraction
from functools import singledispatch

from graphbus_core import GraphBusNode, subscribe

LIMITS = [1_000, 10_000, 100_000]
NAMES = ["small", "medium", "large", "major"]
SETTINGS = {"margin": Fraction(1, 10), "trim": 1, "window": 5}


@singledispatch
def amount(entry: object) -> int:
    return 0


@amount.register
def _(entry: int) -> int:
    return max(entry, 0)


@amount.register
def _(entry: str) -> int:
    digits = entry.replace("'", "").strip()
    return int(digits) if digits.isdecimal() else 0


@amount.register
def _(entry: dict) -> int:
    return sum(map(amount, entry.values()))


class Reserve(GraphBusNode):
    """Estimates what is to be put aside for a class of claims."""

    def __init__(self) -> None:
        super().__init__()
        self._settings = ChainMap(SETTINGS)

    @subscribe("/Insurer/ClaimClasses")
    def on_class(self, name: str, entries: list[object], options: dict[str, int]) -> dict[str, object]:
        settings = self._settings.new_child(dict(options))
        settings.setdefault("factor", 1 + len(name) % 2)
        recent = deque(map(amount, entries), maxlen=settings["window"])
        kept = sorted(recent)[: len(recent) - settings["trim"]] or [0]
        middle = Fraction(statistics.median_low(kept))
        reserve = round(middle * (1 + settings["margin"]) * settings["factor"])
        spread = round(statistics.pstdev(kept), 1)
        return {"class": name, "size": NAMES[bisect_left(LIMITS, reserve)], "reserve": reserve, "spread": spread}
