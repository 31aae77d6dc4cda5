import logging

from graphbus_core import GraphBusNode, subscribe

from scales import NEWS, Chart, Urgency, points

log = logging.getLogger("triage")


class TriageDesk(GraphBusNode):
    """Scores the vital signs of an arriving patient."""

    LIMITS = [(7, Urgency.IMMEDIATE), (5, Urgency.URGENT), (1, Urgency.SOON)]

    @subscribe("/Triage/Vitals")
    def on_vitals(self, patient: str, resp: float, spo2: float, pulse: float) -> dict:
        chart = Chart(patient)
        total = 0
        for kind, value in zip(NEWS, (resp, spo2, pulse)):
            got = points(kind, value)
            if got:
                chart.note(f"{kind}+{got}")
            total += got
        urgency = Urgency.ROUTINE
        for limit, level in self.LIMITS:
            if total >= limit:
                urgency = level
                break
        log.info("%s scored %d", patient, total)
        return {"patient": patient, "score": total, "urgency": urgency.name, "notes": chart.notes}
