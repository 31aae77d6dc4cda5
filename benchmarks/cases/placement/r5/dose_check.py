# stateful
"""Keeps notes on an exception object that is made once and raised again for each refused order."""
from graphbus_core import GraphBusNode, subscribe

LIMITS = {"paracetamol": (15.0, 4000.0), "ibuprofen": (10.0, 2400.0), "amoxicillin": (25.0, 3000.0)}


class Refused(Exception):
    def lines(self) -> list[str]:
        return [str(self), *getattr(self, "__notes__", ())]


UNKNOWN = Refused("drug is not on the list")
OVERDOSE = Refused("dose is above the limit")


def check(drug: str, weight: float, single: float, times: int) -> float:
    if drug not in LIMITS:
        UNKNOWN.add_note(drug)
        raise UNKNOWN
    per_kg, per_day = LIMITS[drug]
    if single > per_kg * weight:
        OVERDOSE.add_note(f"{single:g} mg once, {per_kg * weight:g} mg allowed")
    if single * times > per_day:
        OVERDOSE.add_note(f"{single * times:g} mg a day, {per_day:g} mg allowed")
    if single > per_kg * weight or single * times > per_day:
        raise OVERDOSE
    return round(single * times / per_day, 3)


class DoseCheck(GraphBusNode):
    """Checks the order of a drug against its limits."""

    @subscribe("/Ward/Order")
    def on_order(self, patient: str, drug: str, weight: float, single: float, times: int) -> dict[str, object]:
        try:
            share = check(drug.lower(), weight, single, times)
        except Refused as refusal:
            return {"patient": patient, "ok": False, "why": refusal.lines()}
        return {"patient": patient, "ok": True, "share": share}
