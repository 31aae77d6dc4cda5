# stateful
"""A context variable is set for one event and still set for the next one."""
from contextvars import ContextVar
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

clinic_in_charge: ContextVar[str] = ContextVar("clinic_in_charge", default="central")
PREFIXES = {"central": "C", "north": "N", "harbour": "H"}


@dataclass
class Referral:
    patient: int
    reason: str

    def reference(self) -> str:
        return f"{PREFIXES[clinic_in_charge.get()]}-{self.patient:05d}"


def enter(clinic: str) -> None:
    if clinic in PREFIXES:
        clinic_in_charge.set(clinic)


class ClinicScope(GraphBusNode):
    @subscribe("/Referral/New")
    def on_referral(self, patient: int, reason: str, clinic: str) -> dict[str, str]:
        enter(clinic.lower())
        referral = Referral(patient, reason.capitalize())
        return {"reference": referral.reference(), "reason": referral.reason}
