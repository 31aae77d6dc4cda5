# pure
"""Keeps the patient of the event in an attribute that every event overwrites before it is read."""
from dataclasses import dataclass
from typing import Protocol

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Patient:
    age: int
    female: bool
    creatinine: float


class Formula(Protocol):
    name: str

    def rate(self, patient: Patient) -> float: ...


@dataclass(frozen=True)
class CkdEpi:
    name: str = "CKD-EPI 2021"

    def rate(self, patient: Patient) -> float:
        kappa, alpha = (0.7, -0.241) if patient.female else (0.9, -0.302)
        ratio = patient.creatinine / kappa
        rate = 142 * min(ratio, 1) ** alpha * max(ratio, 1) ** -1.2 * 0.9938 ** patient.age
        return rate * (1.012 if patient.female else 1.0)


@dataclass(frozen=True)
class Schwartz:
    name: str = "Schwartz"
    height: float = 0.0

    def rate(self, patient: Patient) -> float:
        return 0.413 * self.height / patient.creatinine


class FiltrationNode(GraphBusNode):
    stages = ((90, "G1"), (60, "G2"), (45, "G3a"), (30, "G3b"), (15, "G4"))
    patient: Patient
    formula: Formula

    @subscribe("/Lab/Creatinine")
    def on_creatinine(self, age: int, female: bool, height: float, creatinine: float) -> dict[str, object]:
        self.patient = Patient(age, female, max(creatinine, 0.1))
        self.formula = Schwartz(height=height) if age < 18 else CkdEpi()
        return self._answer()

    def _answer(self) -> dict[str, object]:
        rate = round(self.formula.rate(self.patient))
        stage = next((name for limit, name in self.stages if rate >= limit), "G5")
        return {"egfr": rate, "stage": stage, "formula": self.formula.name}
