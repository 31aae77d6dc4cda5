# pure
"""How often each unit was asked for is counted, but nothing ever reads the counts."""
from collections import Counter
from fractions import Fraction

from graphbus_core import GraphBusNode, subscribe

UNITS = {
    "m": ("length", Fraction(1)), "km": ("length", Fraction(1000)), "in": ("length", Fraction(254, 10000)),
    "mi": ("length", Fraction(1609344, 1000)), "kg": ("mass", Fraction(1)), "lb": ("mass", Fraction(45359237, 100000000)),
    "l": ("volume", Fraction(1)), "gal": ("volume", Fraction(3785411784, 1000000000)),
}


class UnitConvert(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._asked: Counter[str] = Counter()
        self._failures = 0

    @subscribe("/convert")
    def on_convert(self, value: float, unit: str, to: str) -> dict[str, object]:
        self._asked[unit] += 1
        self._asked[to] += 1
        try:
            kind, size = UNITS[unit]
            goal_kind, goal_size = UNITS[to]
        except KeyError as unknown:
            self._failures += 1
            return {"error": f"unknown unit {unknown.args[0]}"}
        if kind != goal_kind:
            self._failures += 1
            return {"error": f"{kind} is not {goal_kind}"}
        return {"value": float(Fraction(value) * size / goal_size), "unit": to}
