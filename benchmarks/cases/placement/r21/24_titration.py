# stateful
"""Keeps the last unit in the converter, which a result without unit is read with."""
from dataclasses import dataclass, field
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


class Converter(Protocol):
    def to_si(self, value: float, unit: str) -> float: ...


@dataclass
class MassConverter:
    molar_mass: float
    factors: dict[str, float] = field(default_factory=dict)
    factor: float = 1.0

    def __post_init__(self) -> None:
        self.factors.setdefault("mmol/l", 1.0)
        self.factors.setdefault("mg/dl", 10.0 / self.molar_mass)
        self.factors.setdefault("g/l", 1000.0 / self.molar_mass)

    def to_si(self, value: float, unit: str) -> float:
        match unit.strip().lower():
            case "":
                pass
            case known if known in self.factors:
                self.factor = self.factors[known]
            case other:
                raise LookupError(other)
        return round(value * self.factor, 3)


class UnitNode(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.converters: dict[str, Converter] = {
            "glucose": MassConverter(180.16),
            "urea": MassConverter(60.06),
            "calcium": MassConverter(40.08),
        }

    @subscribe("/Lab/RawValue")
    def on_value(self, analyte: str, value: float, unit: str) -> dict[str, object]:
        try:
            return {"analyte": analyte, "mmol_l": self.converters[analyte].to_si(value, unit)}
        except LookupError as err:
            return {"analyte": analyte, "error": str(err.args[0])}
