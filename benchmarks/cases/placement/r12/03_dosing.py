# stateful
"""Caches plans under a key whose equality leaves out the route, so the first route asked for decides the text for all of them."""
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

MG_PER_KG = {"paracetamol": 15, "ibuprofen": 10, "amoxicillin": 25}
FORM = {"oral": "tablet", "iv": "infusion", "rectal": "suppository"}
FACTOR = {"oral": 100, "iv": 75, "rectal": 120}


@dataclass(frozen=True, slots=True)
class Prescription:
    drug: str
    weight_kg: int
    # the route was added later for the label, two prescriptions are the same medicine without it
    route: str = field(default="oral", compare=False)

    @property
    def base(self) -> int:
        return MG_PER_KG.get(self.drug, 0) * max(1, min(self.weight_kg, 120))


@dataclass(frozen=True, slots=True)
class Plan:
    milligrams: int
    doses: int
    form: str


@lru_cache(maxsize=512)
def plan_for(prescription: Prescription) -> Plan:
    mg = prescription.base * FACTOR.get(prescription.route, 100) // 100
    doses = 4 if mg <= 500 else 3
    return Plan(mg, doses, FORM.get(prescription.route, "tablet"))


class DosingDesk(GraphBusNode):
    """Turns an order from the ward into a label for the pharmacy."""

    @subscribe("/Ward/Order")
    def on_order(self, patient: str, drug: str, weight_kg: int, route: str) -> dict[str, object]:
        plan = plan_for(Prescription(drug.lower(), weight_kg, route.lower()))
        if not plan.milligrams:
            return {"patient": patient, "error": f"no rule for {drug}"}
        return {
            "patient": patient,
            "label": f"{plan.doses} x {plan.milligrams} mg {drug} ({plan.form})",
            "daily": plan.milligrams * plan.doses,
        }
