# stateful
"""Keeps the position in an endless cycle that a partial object holds."""
from dataclasses import dataclass
from functools import partial
from itertools import cycle

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Gate:
    name: str
    capacity: int


GATES = (Gate("north", 40), Gate("middle", 65), Gate("south", 50))
pick_gate = partial(next, cycle(GATES))


def openings(inflow: int) -> list[tuple[str, int]]:
    plan = []
    while inflow > 0 and len(plan) < 6:
        gate = pick_gate()
        share = min(inflow, gate.capacity)
        plan.append((gate.name, share))
        inflow -= share
    return plan


class SluiceGates(GraphBusNode):
    """Shares a flood wave out over the gates of a weir."""

    @subscribe("/Water/Inflow")
    def on_inflow(self, river: str, inflow: int) -> dict[str, object]:
        plan = openings(inflow)
        released = sum(share for _, share in plan)
        text = ", ".join(f"{name} {share}" for name, share in plan) or "all shut"
        return {"river": river.capitalize(), "plan": text, "held_back": max(0, inflow - released)}
