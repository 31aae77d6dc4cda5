# stateful
"""Keeps the company of the first permit in the environment of the process, by setdefault."""
import os

from graphbus_core import GraphBusNode, subscribe

WORKS = {
    "welding": ("fire watch", "extinguisher"),
    "excavation": ("cable plan", "shoring"),
    "roof": ("harness", "edge guard"),
}

FORM = "%(company)s / %(area)s / %(work)s / %(measures)s"


def env(name, value):
    return os.environ.setdefault("PERMIT_" + name, value or "none")


def measures(work, metres):
    m = list(WORKS.get(work, ()))
    if metres > 2.0 and "harness" not in m:
        m.append("harness")
    if not m:
        m.append("briefing")
    return m


def fill(area, work, metres, company):
    d = {}
    d["area"] = area
    d["work"] = work
    d["company"] = env("COMPANY", company)
    d["measures"] = ", ".join(measures(work, metres))
    return FORM % d


class PermitNode(GraphBusNode):
    @subscribe("/Site/PermitAsked")
    def on_permit(self, area: str, work: str, metres: float, company: str) -> dict[str, object]:
        if metres > 40:
            return {"granted": False, "form": ""}
        return {"granted": True, "form": fill(area, work, metres, company)}
