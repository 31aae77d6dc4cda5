# pure
"""Keeps one object per unit alive for reuse; what a unit means is fixed by its name."""
import re
import weakref
from fractions import Fraction
from functools import total_ordering
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

BASE = {"m": ("length", "1"), "in": ("length", "0.0254"), "mi": ("length", "1609.344"), "g": ("mass", "1"),
        "lb": ("mass", "453.59237"), "s": ("time", "1"), "h": ("time", "3600")}
PREFIX = {"": 1, "k": 1000, "c": Fraction(1, 100), "m": Fraction(1, 1000)}


class Unit:
    __slots__ = ("name", "dimension", "factor", "__weakref__")
    _known: ClassVar[weakref.WeakValueDictionary[str, "Unit"]] = weakref.WeakValueDictionary()

    def __new__(cls, name: str) -> "Unit":
        found = cls._known.get(name)
        if found is None:
            for prefix, scale in PREFIX.items():
                stem = name.removeprefix(prefix)
                if name.startswith(prefix) and stem in BASE:
                    break
            else:
                raise KeyError(name)
            found = super().__new__(cls)
            found.name, found.dimension = name, BASE[stem][0]
            found.factor = Fraction(BASE[stem][1]) * scale
            cls._known[name] = found
        return found


@total_ordering
class Quantity:
    def __init__(self, text: str) -> None:
        match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*([a-z]+)\s*", text)
        if match is None:
            raise ValueError(text)
        self.number, self.unit = Fraction(match[1]), Unit(match[2])

    @property
    def si(self) -> Fraction:
        return self.number * self.unit.factor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Quantity) and self.si == other.si

    def __lt__(self, other: "Quantity") -> bool:
        return self.si < other.si


class UnitConvert(GraphBusNode):
    @subscribe("/Units/Compare")
    def on_compare(self, quantities: list[str], unit: str) -> dict[str, object]:
        try:
            goal = Unit(unit)
            parsed = [Quantity(text) for text in quantities]
        except (KeyError, ValueError) as problem:
            return {"unreadable": str(problem.args[0])}
        fitting = [quantity for quantity in parsed if quantity.unit.dimension == goal.dimension]
        shown = [f"{float(quantity.si / goal.factor):.6g} {goal.name}" for quantity in sorted(fitting)]
        return {"sorted": shown, "foreign": len(parsed) - len(fitting), "equal": len(fitting) > 1 and min(fitting) == max(fitting)}
