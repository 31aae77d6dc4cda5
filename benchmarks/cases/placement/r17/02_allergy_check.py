# stateful
"""The recursive search collects in a default argument, which is one set for all calls that do not bring their own."""
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

CONTAINS: dict[str, tuple[str, ...]] = {
    "flu combo": ("aspro", "vitamin c"),
    "aspro": ("salicylate",),
    "amoxiclav": ("amoxicillin", "clavulanate"),
    "amoxicillin": ("penicillin",),
    "cotrim": ("sulfonamide", "trimethoprim"),
    "nurofen": ("ibuprofen",),
}
CROSS_REACTIONS = {"aspirin": {"salicylate", "ibuprofen"}, "sulfa": {"sulfonamide"}}


def substances(drug: str, found: set[str] = set()) -> frozenset[str]:
    """The drug's substances, and theirs, each only once."""
    for part in CONTAINS.get(drug, ()):
        if part not in found:
            found.add(part)
            substances(part, found)
    return frozenset(found)


@dataclass(frozen=True)
class Prescription:
    patient: str
    drug: str
    allergies: tuple[str, ...]

    def conflicts(self) -> list[str]:
        result = []
        inside = substances(self.drug) | {self.drug}
        for allergy in self.allergies:
            for substance in sorted(inside & ({allergy} | CROSS_REACTIONS.get(allergy, set()))):
                result.append(f"{substance} conflicts with {allergy}")
        return result


class AllergyCheck(GraphBusNode):
    @subscribe("/Pharmacy/Prescribed")
    def on_prescribed(self, patient: str, drug: str, allergies: list[str]) -> dict[str, object]:
        prescription = Prescription(patient, drug.strip().lower(), tuple(sorted(set(allergies))))
        conflicts = prescription.conflicts()
        return {"patient": patient, "ok": not conflicts, "reasons": conflicts}
