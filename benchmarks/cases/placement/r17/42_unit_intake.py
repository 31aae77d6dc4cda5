# stateful
"""Keeps the warnings registry: a warning of the same text is shown once a place, so later events miss it."""
from __future__ import annotations

import warnings
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class UnitNotice(UserWarning):
    """A laboratory sent a unit that it should no longer use."""


warnings.simplefilter("default", UnitNotice)

FACTORS = {
    ("glucose", "mmol/l"): 1.0,
    ("glucose", "mg/dl"): 0.0555,
    ("creatinine", "umol/l"): 1.0,
    ("creatinine", "mg/dl"): 88.42,
}


@dataclass
class Result:
    analyte: str
    amount: float
    unit: str

    def to_si(self) -> float:
        factor = FACTORS[self.analyte, self.unit]
        if self.unit.startswith("mg"):
            warnings.warn(f"{self.analyte} in {self.unit}", UnitNotice)
        if self.amount < 0:
            warnings.warn("negative amount", UnitNotice)
        return round(self.amount * factor, 3)


class UnitIntake(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._notices: list[str] = []
        warnings.showwarning = self._notice

    def _notice(self, message, category, filename, lineno, file=None, line=None) -> None:
        if issubclass(category, UnitNotice):
            self._notices.append(str(message))

    @subscribe("/LabResults")
    def on_result(self, analyte: str, amount: float, unit: str) -> dict[str, object]:
        self._notices = []
        result = Result(analyte.lower(), amount, unit.lower())
        try:
            si = result.to_si()
        except KeyError:
            return {"error": f"no unit {unit} for {analyte}"}
        return {"analyte": result.analyte, "si": si, "notices": self._notices}
