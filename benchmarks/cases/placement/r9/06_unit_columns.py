# stateful
"""The enum's _missing_ hook adds pseudo members to the class, and their column depends on how many there are."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Unit(Enum):
    PIECE = "pcs"
    CARTON = "ctn"
    PALLET = "plt"
    KILO = "kg"

    @classmethod
    def _missing_(cls, value: object) -> "Unit | None":
        if not isinstance(value, str) or not value.isalpha():
            return None
        extra = object.__new__(cls)
        extra._name_ = value.upper()
        extra._value_ = value
        cls._value2member_map_[value] = extra
        return extra

    @property
    def column(self) -> int:
        return list(type(self)._value2member_map_).index(self.value) + 2

    @property
    def letter(self) -> str:
        return chr(ord("A") + self.column % 26)


class UnitColumns(GraphBusNode):
    @subscribe("/Stock/Count")
    def on_count(self, row: int, unit: str, amount: float) -> dict[str, object]:
        try:
            kind = Unit(unit.strip().lower())
        except ValueError:
            return {"error": f"bad unit {unit!r}"}
        return {"cell": f"{kind.letter}{row}", "name": kind.name, "amount": round(amount, 3)}
