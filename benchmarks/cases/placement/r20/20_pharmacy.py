# pure
"""Checks one prescription against fixed tables of doses and interactions."""
import re
from itertools import combinations
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

INTERACTIONS = {
    frozenset({"warfarin", "ibuprofen"}): "bleeding",
    frozenset({"warfarin", "aspirin"}): "bleeding",
    frozenset({"simvastatin", "clarithromycin"}): "muscle damage",
    frozenset({"lithium", "ibuprofen"}): "lithium level rises",
}
MAX_DAILY_MG = {"ibuprofen": 2400, "aspirin": 3000, "paracetamol": 4000, "simvastatin": 40, "clarithromycin": 1000}
SIG = re.compile(r"(?P<drug>[a-z]+)\s+(?P<mg>\d+)\s*mg\s+(?P<sig>\d-\d-\d(?:-\d)?|\d+x)", re.I)


class Dose(NamedTuple):
    drug: str
    mg: int
    times: int

    @property
    def daily(self) -> int:
        return self.mg * self.times


def times_a_day(sig: str) -> int:
    if sig.endswith(("x", "X")):
        return int(sig[:-1])
    return sum(int(part) for part in sig.split("-"))


def read(lines: list[str]) -> tuple[list[Dose], list[str]]:
    doses, unread = [], []
    for line in lines:
        match = SIG.fullmatch(line.strip())
        if match:
            doses.append(Dose(match["drug"].lower(), int(match["mg"]), times_a_day(match["sig"])))
        else:
            unread.append(line)
    return doses, unread


class PrescriptionCheck(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._limits = dict(MAX_DAILY_MG)

    def _limit(self, drug: str, age: int) -> float:
        limit = self._limits.get(drug, float("inf"))
        if age < 12:
            return limit / 4
        return limit * 0.75 if age > 70 else limit

    @subscribe("/Pharmacy/Prescription")
    def on_prescription(self, patient_age: int, lines: list[str]) -> dict[str, object]:
        doses, unread = read(lines)
        warnings = [f"{d.drug}: {d.daily} mg a day" for d in doses if d.daily > self._limit(d.drug, patient_age)]
        drugs = sorted({d.drug for d in doses})
        for pair in combinations(drugs, 2):
            risk = INTERACTIONS.get(frozenset(pair))
            if risk:
                warnings.append(" + ".join(pair) + ": " + risk)
        return {"dispense": not warnings and not unread, "warnings": warnings, "ask_doctor": unread}
