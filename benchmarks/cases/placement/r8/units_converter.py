# pure
"""Keeps a registry of units that subclasses fill at import; events only read it."""
import re
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe

QUANTITY = re.compile(r"^\s*(?P<number>[-+]?\d+(?:\.\d+)?)\s*(?P<unit>[A-Za-z]+)\s*$")


class Unit:
    registry: ClassVar[dict[str, type["Unit"]]] = {}
    symbol = ""
    family = ""
    factor = 1.0
    offset = 0.0

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        cls.registry[cls.symbol.lower()] = cls

    @classmethod
    def to_base(cls, number: float) -> float:
        return number * cls.factor + cls.offset

    @classmethod
    def from_base(cls, number: float) -> float:
        return (number - cls.offset) / cls.factor


class Metre(Unit):
    symbol, family = "m", "length"


class Foot(Unit):
    symbol, family, factor = "ft", "length", 0.3048


class Kelvin(Unit):
    symbol, family = "K", "temperature"


class Fahrenheit(Unit):
    symbol, family, factor, offset = "F", "temperature", 5 / 9, 459.67 * 5 / 9


class UnitsConverter(GraphBusNode):
    @subscribe("/Units/Convert")
    def on_convert(self, text: str, target: str) -> dict[str, object]:
        match = QUANTITY.match(text)
        source = Unit.registry.get(match["unit"].lower()) if match else None
        wanted = Unit.registry.get(target.lower())
        if source is None or wanted is None:
            return {"error": "unknown"}
        if source.family != wanted.family:
            return {"error": f"{source.family} is not {wanted.family}"}
        value = wanted.from_base(source.to_base(float(match["number"])))
        return {"value": round(value, 4), "unit": wanted.symbol}
