# pure
"""Keeps the standard factors, of which every event changes a copy."""
from graphbus_core import GraphBusNode, subscribe

FACTORS = {"dead": 1.35, "live": 1.5, "snow": 1.5, "wind": 1.5, "psi_snow": 0.5, "psi_wind": 0.6}
CASES = {
    "permanent": {},
    "building": {"live": 1.2, "snow": 1.2, "wind": 1.2},
    "accident": {"dead": 1.0, "live": 1.0, "snow": 0.0, "psi_wind": 0.2},
}


def factors_for(case, altitude):
    f = FACTORS.copy()
    f.update(CASES.get(case, CASES["permanent"]))
    if altitude > 1000:
        f["psi_snow"] = 0.7
    return f


def combine(f, loads):
    variable = []
    for kind in ("live", "snow", "wind"):
        variable.append((loads.get(kind, 0.0) * f[kind], kind))
    variable.sort()
    lead = variable.pop()
    total = loads.get("dead", 0.0) * f["dead"] + lead[0]
    for value, kind in variable:
        total += value * f.get("psi_" + kind, 0.7)
    return total, lead[1]


class LoadNode(GraphBusNode):
    factors = FACTORS

    @subscribe("/Site/LoadCase")
    def on_case(self, case: str, altitude: int, loads: dict[str, float]) -> dict[str, object]:
        self.factors = factors_for(case, altitude)
        total, leading = combine(self.factors, loads)
        return {"design_kn": round(total, 2), "leading": leading, "case": case}
