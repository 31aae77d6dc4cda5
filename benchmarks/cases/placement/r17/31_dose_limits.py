# stateful
"""Keeps notes: the refusal is one exception object made at import, and every add_note stays on it."""
from __future__ import annotations

from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe


class DoseError(Exception):
    """A prescription that the pharmacy must not fill."""


@dataclass(frozen=True)
class Limit:
    drug: str
    single_mg: int
    daily_mg: int


LIMITS = {
    limit.drug: limit
    for limit in (
        Limit("paracetamol", 1000, 4000),
        Limit("ibuprofen", 800, 2400),
        Limit("metformin", 1000, 3000),
    )
}

UNKNOWN = DoseError("not in the formulary")
TOO_LARGE = DoseError("single dose above the limit")
TOO_OFTEN = DoseError("daily dose above the limit")


def check(drug: str, mg: int, times: int) -> Limit:
    limit = LIMITS.get(drug)
    if limit is None:
        raise UNKNOWN
    if mg > limit.single_mg:
        raise TOO_LARGE
    if mg * times > limit.daily_mg:
        raise TOO_OFTEN
    return limit


class DoseDesk(GraphBusNode):
    @subscribe("/Prescriptions")
    def on_prescription(self, drug: str, mg: int, times: int) -> dict[str, object]:
        drug = drug.strip().lower()
        try:
            limit = check(drug, mg, times)
        except DoseError as refusal:
            refusal.add_note(f"{drug}: {mg} mg, {times} times a day")
            return {"filled": False, "why": "; ".join([str(refusal), *refusal.__notes__])}
        return {"filled": True, "headroom_mg": limit.daily_mg - mg * times}
