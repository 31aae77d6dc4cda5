from graphbus_core import GraphBusNode, subscribe

from wards import NOTICE, WARDS, on_duty


class NoticePrinter(GraphBusNode):
    @subscribe("/Notice")
    def notice(self, text: str) -> str:
        ward = on_duty()
        return NOTICE.safe_substitute(ward=ward, beds=WARDS[ward], text=text)


class BedPlan(GraphBusNode):
    @subscribe("/Beds/Plan")
    def plan(self, patients: list[str]) -> dict[str, list[str]]:
        free = dict(WARDS)
        placed: dict[str, list[str]] = {w: [] for w in WARDS}
        for patient in sorted(patients):
            ward = max(free, key=lambda w: (free[w], w))
            free[ward] -= 3
            placed[ward].append(patient)
        return {w: p for w, p in placed.items() if p}
