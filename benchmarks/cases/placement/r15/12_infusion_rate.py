# stateful
"""Keeps the rounding mode of the thread's decimal context: after one child every later patient is rounded down too."""
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal, getcontext

from graphbus_core import GraphBusNode, subscribe

STEP = Decimal("0.1")
PER_KILO = {"heparin": Decimal("18.25"), "dopamine": Decimal("5.17"), "insulin": Decimal("0.093")}


@dataclass(frozen=True)
class Patient:
    age: int
    weight: Decimal

    @property
    def is_child(self) -> bool:
        return self.age < 14


class RateTable:
    def __init__(self, per_kilo: dict[str, Decimal]) -> None:
        self._per_kilo = dict(per_kilo)

    def hourly(self, drug: str, patient: Patient) -> Decimal:
        try:
            factor = self._per_kilo[drug]
        except KeyError:
            return Decimal(0)
        if patient.is_child:
            # never give a child more than computed
            getcontext().rounding = ROUND_DOWN
        return (factor * patient.weight).quantize(STEP)


class InfusionRate(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._table = RateTable(PER_KILO)

    @subscribe("/Ward/Prescribed")
    def on_prescribed(self, drug: str, age: int, weight: str) -> dict[str, str]:
        patient = Patient(age, Decimal(weight))
        rate = self._table.hourly(drug, patient)
        return {"drug": drug, "rate": str(rate), "daily": str((rate * 24).quantize(STEP))}
