# pure
"""Keeps nothing: the shared defaults are deep-copied before anything is written to them."""
import copy

from graphbus_core import GraphBusNode, subscribe

DEFAULTS = {
    "rooms": {"living": {"area": 25, "rate": 650}, "kitchen": {"area": 12, "rate": 900}},
    "valuables": [],
}


def apply(plan: dict, room: str, area: int) -> None:
    entry = plan["rooms"].setdefault(room, {"area": 0, "rate": 500})
    entry["area"] = max(entry["area"], area)


class HouseholdSum(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._defaults = DEFAULTS

    @subscribe("/Household/Estimate")
    def estimate(self, rooms: dict[str, int], valuables: list[int]) -> dict[str, object]:
        plan = copy.deepcopy(self._defaults)
        for room, area in rooms.items():
            apply(plan, room.lower(), area)
        plan["valuables"].extend(v for v in valuables if v > 0)
        contents = sum(r["area"] * r["rate"] for r in plan["rooms"].values())
        extra = sum(plan["valuables"])
        warning = None
        if extra * 4 > contents:
            warning = "valuables above a quarter"
        return {"sum": contents + extra, "rooms": sorted(plan["rooms"]), "warning": warning}
