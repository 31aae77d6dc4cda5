# stateful
"""The closure remembers the last weight of each animal and uses it when none is given."""
from graphbus_core import GraphBusNode, subscribe

MG_PER_KG = {"carprofen": 4.4, "amoxicillin": 12.5, "meloxicam": 0.1}


def dose_calculator(table):
    scale = {}

    def weigh(animal, weight):
        return scale.update({animal: weight}) or weight if weight > 0 else scale.get(animal, 0.0)

    def dose(animal, drug, weight):
        per_kg = table.get(drug)
        if per_kg is None:
            return None
        return round(per_kg * weigh(animal, weight), 2)

    return dose


class Dosage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.dose = dose_calculator(MG_PER_KG)

    @subscribe("/Prescription/Draft")
    def on_draft(self, animal: str, drug: str, weight: float = 0.0) -> dict:
        mg = self.dose(animal, drug, weight)
        if not mg:
            return {"animal": animal, "status": "ask the vet"}
        return {"animal": animal, "status": "ok", "mg": mg}
