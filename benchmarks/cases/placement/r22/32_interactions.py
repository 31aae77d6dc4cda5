# stateful
"""The profile of a patient lives in a mutable default of a helper."""
from graphbus_core import GraphBusNode, subscribe

CLASHES = {
    frozenset({"warfarin", "aspirin"}): "bleeding",
    frozenset({"warfarin", "ibuprofen"}): "bleeding",
    frozenset({"simvastatin", "clarithromycin"}): "muscle damage",
}


def normalise(name: str) -> str:
    return name.strip().casefold()


def profile(patient: str, book: dict[str, set[str]] = {}) -> set[str]:
    return book.setdefault(normalise(patient), set())


def warnings_for(drug: str, others: set[str]) -> list[str]:
    found = []
    for other in sorted(others):
        risk = CLASHES.get(frozenset({drug, other}))
        if risk:
            found.append(f"{drug} with {other}: {risk}")
    return found


class Dispensary(GraphBusNode):
    @subscribe("/Prescription")
    def on_prescription(self, patient: str, drug: str) -> dict[str, object]:
        drug = normalise(drug)
        taking = profile(patient)
        notes = warnings_for(drug, taking)
        if not notes:
            taking.add(drug)
        return {"patient": patient, "dispensed": not notes, "notes": notes}
