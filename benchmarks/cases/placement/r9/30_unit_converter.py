# pure
"""Converts between units with a constant enum."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Kind(Enum):
    LENGTH = "length"
    MASS = "mass"
    VOLUME = "volume"


class Unit(Enum):
    MM = ("mm", Kind.LENGTH, 0.001)
    CM = ("cm", Kind.LENGTH, 0.01)
    M = ("m", Kind.LENGTH, 1.0)
    INCH = ("in", Kind.LENGTH, 0.0254)
    G = ("g", Kind.MASS, 0.001)
    KG = ("kg", Kind.MASS, 1.0)
    LB = ("lb", Kind.MASS, 0.45359237)
    L = ("l", Kind.VOLUME, 1.0)
    GAL = ("gal", Kind.VOLUME, 3.785411784)

    def __init__(self, symbol: str, kind: Kind, factor: float) -> None:
        self.symbol = symbol
        self.kind = kind
        self.factor = factor

    @classmethod
    def of(cls, symbol: str) -> "Unit":
        for unit in cls:
            if unit.symbol == symbol.strip().lower():
                return unit
        raise LookupError(symbol)


def significant(value: float, digits: int = 6) -> float:
    return float(f"{value:.{digits}g}")


class UnitConverter(GraphBusNode):
    @subscribe("/Units/Convert")
    def on_convert(self, value: float, source: str, target: str) -> dict[str, object]:
        try:
            have, want = Unit.of(source), Unit.of(target)
        except LookupError as unknown:
            return {"error": f"unknown unit {unknown}"}
        if have.kind is not want.kind:
            return {"error": f"{have.kind.value} is not {want.kind.value}"}
        return {"value": significant(value * have.factor / want.factor), "unit": want.symbol}
