# stateful
"""Raises the same exception object again and again, and the notes put on it pile up."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


class Refused(Exception):
    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code

    def about(self, patient: str) -> "Refused":
        self.add_note(f"patient {patient}")
        return self

    @property
    def notes(self) -> list[str]:
        return getattr(self, "__notes__", [])


NO_INSURANCE = Refused("A1", "insurance number missing")
TOO_YOUNG = Refused("A2", "belongs to the children's ward")
NO_BED = Refused("A3", "no bed of this class")

BEDS = {"general": 24, "private": 6, "intensive": 4}


def check_insurance(patient: str, number: str) -> None:
    if not number.strip():
        raise NO_INSURANCE.about(patient)


def check_age(patient: str, age: int) -> None:
    if age < 16:
        raise TOO_YOUNG.about(patient)


def check_bed(patient: str, ward: str) -> None:
    if ward not in BEDS:
        raise NO_BED.about(patient)


class Admission(GraphBusNode):
    @subscribe("/Reception/Admit")
    def on_admit(self, patient: str, age: int, insurance: str, ward: str) -> dict[str, object]:
        checks: list[Callable[[], None]] = [
            lambda: check_insurance(patient, insurance),
            lambda: check_age(patient, age),
            lambda: check_bed(patient, ward),
        ]
        try:
            for check in checks:
                check()
        except Refused as refusal:
            return {"admitted": False, "code": refusal.code, "message": "; ".join([str(refusal), *refusal.notes])}
        return {"admitted": True, "ward": ward, "code": "", "message": f"{patient} to {ward}"}
