# stateful
"""Keeps the first answer for a prescription: the cache's key leaves the weight out of the comparison."""
import math
from dataclasses import dataclass, field
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Prescription:
    drug: str
    times: int
    weight: float = field(compare=False)

    @property
    def code(self) -> str:
        return f"{self.drug[:4].upper()}-{self.times}"


STRENGTH = {"ibuprofen": 10.0, "paracetamol": 15.0, "amoxicillin": 25.0}
TABLET = {"ibuprofen": 200, "paracetamol": 500, "amoxicillin": 250}


@lru_cache(maxsize=256)
def tablets(prescription: Prescription) -> float:
    single = STRENGTH[prescription.drug] * prescription.weight
    halves = math.floor(2 * single / TABLET[prescription.drug])
    return max(halves, 1) / 2


class DoseLeaflet(GraphBusNode):
    @subscribe("/Pharmacy/Dispensed")
    def on_dispensed(self, drug: str, times: int, weight: float) -> dict[str, str]:
        drug = drug.casefold()
        if drug not in STRENGTH:
            return {"code": "-", "text": "see the doctor's letter"}
        prescription = Prescription(drug, times, weight)
        count = tablets(prescription)
        return {"code": prescription.code, "text": f"{count:g} tablet(s), {times} times a day"}
