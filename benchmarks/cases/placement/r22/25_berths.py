# stateful
"""Remembers the last pilot in an attribute of a function."""
from graphbus_core import GraphBusNode, subscribe

PILOTS = ("Duarte", "Holm", "Sato")
QUAYS = {"grain": "silo quay", "ore": "bulk quay", "oil": "outer jetty"}


def tugs(length: int, cargo: str) -> int:
    needed = 1 + (length > 100) + (length > 200)
    return needed + 1 if cargo == "oil" else needed


def pilot_for(length: int) -> str:
    step = 2 if length > 200 else 1
    last = getattr(pilot_for, "last", -1)
    pilot_for.last = (last + step) % len(PILOTS)
    return PILOTS[pilot_for.last]


def order(name: str, pilot: str, quay: str, count: int) -> str:
    plural = "s" if count > 1 else ""
    return f"{name.upper()}: {pilot} to {quay}, {count} tug{plural}"


class HarbourMaster(GraphBusNode):
    @subscribe("/Vessel")
    def on_vessel(self, name: str, length: int, cargo: str) -> dict[str, str]:
        quay = QUAYS[cargo]
        return {"order": order(name, pilot_for(length), quay, tugs(length, cargo))}
