from graphbus_core import GraphBusNode, subscribe

from scales import WARDS, Urgency


def ward_for(level: int) -> dict:
    fitting = [w for w in WARDS.values() if w["level"] >= level]
    return min(fitting, key=lambda w: w["level"])


class BedManager(GraphBusNode):
    @subscribe("/Beds/Admit")
    def on_admit(self, patient: str, level: int) -> dict:
        ward = ward_for(Urgency(level))
        free = ward["beds"]
        if not free:
            return {"patient": patient, "bed": None}
        bed, *rest = free
        ward["beds"] = rest
        return {"patient": patient, "bed": bed}


class CensusClerk(GraphBusNode):
    """Tells the head nurse how many beds there are on a ward."""

    @subscribe("/Beds/Census")
    def on_census(self, ward: str) -> str:
        w = WARDS.get(ward)
        if w is None:
            return f"no ward {ward}"
        return "{}: {} beds ({})".format(ward, len(w["beds"]), w["level"].name.lower())


class WardLabels(GraphBusNode):
    """Door labels: the name and level of each ward, heaviest first."""

    @subscribe("/Beds/Labels")
    def on_labels(self, prefix: str) -> list:
        ranked = sorted(WARDS.items(), key=lambda kv: -kv[1]["level"])
        return [f"{prefix}-{name}-{w['level'].value}" for name, w in ranked]
