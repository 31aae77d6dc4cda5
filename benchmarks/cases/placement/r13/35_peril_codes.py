# stateful
"""_missing_ makes pseudo-members and files them in the enum, so codes count up with what came before."""
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Peril(Enum):
    FIRE = "fire"
    STORM = "storm"
    WATER = "water"

    @property
    def code(self) -> int:
        return list(type(self)._value2member_map_).index(self.value) + 100

    @classmethod
    def _missing_(cls, value: object) -> "Peril":
        member = object.__new__(cls)
        member._name_ = str(value).upper()
        member._value_ = value
        return cls._value2member_map_.setdefault(value, member)


class PerilCodes(GraphBusNode):
    @subscribe("/Claims/Peril")
    def encode(self, claim: str, peril: str) -> dict[str, object]:
        found = Peril(peril.strip().lower())
        return {"claim": claim, "peril": found.name, "code": found.code}
