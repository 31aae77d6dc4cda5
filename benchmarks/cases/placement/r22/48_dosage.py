# pure
"""Doses follow from a fixed table; the sheet is built anew for each order."""
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Regimen:
    mg_per_kilo: Decimal
    times: int
    ceiling: Decimal


@dataclass
class Sheet:
    drug: str
    lines: list[str] = field(default_factory=list)
    total: Decimal = Decimal(0)

    def add(self, hour: int, dose: Decimal) -> None:
        self.lines.append(f"{hour:02d}:00 {dose} mg")
        self.total += dose


REGIMENS = {
    "amoxicillin": Regimen(Decimal("15"), 3, Decimal("500")),
    "ibuprofen": Regimen(Decimal("7.5"), 4, Decimal("400")),
}


def single_dose(regimen: Regimen, kilos: float) -> Decimal:
    dose = min(regimen.mg_per_kilo * Decimal(str(kilos)), regimen.ceiling)
    return dose.quantize(Decimal("0.5"), rounding=ROUND_HALF_UP)


class DoseSheet(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.regimens = dict(REGIMENS)

    @subscribe("/Order")
    def on_order(self, drug: str, kilos: float, days: int) -> dict[str, object]:
        regimen = self.regimens.get(drug)
        sheet = Sheet(drug)
        if regimen is None:
            return {"drug": drug, "lines": sheet.lines, "total": "0"}
        dose = single_dose(regimen, kilos)
        for n in range(regimen.times):
            sheet.add(6 + n * (24 // regimen.times), dose)
        return {"drug": drug, "lines": sheet.lines, "total": str(sheet.total * days)}
