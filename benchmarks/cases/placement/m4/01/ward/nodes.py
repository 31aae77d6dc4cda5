from __future__ import annotations

import logging
from decimal import ROUND_DOWN, Decimal

from graphbus_core import GraphBusNode, subscribe

from . import formulary
from .beds import plan

log = logging.getLogger(__name__)


class Admissions(GraphBusNode):
    """Gives an arriving patient a room."""

    @subscribe("/Ward/Arrival")
    def on_arrival(self, patient: str, contagious: bool) -> dict:
        room = plan.place(patient, contagious)
        if room is None:
            log.warning("no room for %s", patient)
            return {"patient": patient, "status": "waiting"}
        return {"patient": patient, "status": "admitted", "room": room}


class DoseCalculator(GraphBusNode):
    """Single dose by weight."""

    step = Decimal("5")

    def _round(self, mg: Decimal) -> Decimal:
        return (mg / self.step).to_integral_value(rounding=ROUND_DOWN) * self.step

    @subscribe("/Ward/Dose")
    def on_dose(self, drug: str, weight: str) -> dict:
        try:
            entry = formulary.lookup(drug)
        except formulary.UnknownDrug as exc:
            return {"error": f"unknown drug {exc.args[0]}"}
        mg = min(entry["mg_per_kg"] * Decimal(weight), entry["max_mg"])
        mg = self._round(mg)
        log.info("%s: %s mg", drug, mg)
        return {"mg": str(mg), "daily_mg": str(mg * entry["per_day"])}
