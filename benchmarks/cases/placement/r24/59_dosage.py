# pure
"""Dose tables are parsed once and memoised; the answer follows from drug, weight and age alone."""
from dataclasses import dataclass
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

FORMULARY = """
# drug        mg/kg  per-day  max-mg  min-age-months  mg/ml
paracetamol   15     4        1000    1               24
ibuprofen     10     3        400     3               20
amoxicillin   25     2        875     0               50
"""


@dataclass(frozen=True)
class Entry:
    mg_per_kg: float
    per_day: int
    ceiling: float
    min_age: int
    strength: float


@lru_cache(maxsize=None)
def lookup(drug):
    for line in FORMULARY.splitlines():
        parts = line.split()
        if parts and parts[0] == drug:
            mg, day, top, age, strength = parts[1:]
            return Entry(float(mg), int(day), float(top), int(age), float(strength))
    return None


class PaediatricDose(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._warm = [lookup(d) for d in ("paracetamol", "ibuprofen")]

    @subscribe("/ward/prescription")
    def on_prescription(self, drug: str, weight_kg: float, age_months: int) -> dict:
        entry = lookup(drug.strip().lower())
        if entry is None:
            return {"ok": False, "why": f"{drug} is not in the formulary"}
        if age_months < entry.min_age:
            return {"ok": False, "why": f"too young: {age_months} < {entry.min_age} months"}
        single = min(entry.mg_per_kg * weight_kg, entry.ceiling)
        return {
            "ok": True,
            "single_mg": round(single, 1),
            "daily_mg": round(single * entry.per_day, 1),
            "volume_ml": round(single / entry.strength * 2) / 2,
            "capped": entry.mg_per_kg * weight_kg > entry.ceiling,
        }
