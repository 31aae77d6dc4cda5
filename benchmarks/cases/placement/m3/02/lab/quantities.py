from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import Enum

BENCH = Context(prec=6, rounding=ROUND_HALF_EVEN)


class Unit(Enum):
    MG_L = ("mg/L", Decimal("1"))
    UG_L = ("ug/L", Decimal("0.001"))
    G_L = ("g/L", Decimal("1000"))

    def __init__(self, label: str, factor: Decimal) -> None:
        self.label = label
        self.factor = factor

    @classmethod
    def named(cls, label: str) -> "Unit":
        for unit in cls:
            if unit.label == label:
                return unit
        raise ValueError(f"unknown unit {label}")


class LastValue:
    """Descriptor: a numeric field that also knows how far it moved."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_lv_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.slot, (0.0, 0.0))

    def __set__(self, obj, value: float) -> None:
        before = getattr(obj, self.slot, (value, 0.0))[0]
        setattr(obj, self.slot, (value, value - before))
