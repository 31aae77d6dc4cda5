# stateful
"""The cached function gives out the same list each time, and the handler adds to it."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

BASIC = ["rest for 24 hours", "fresh water", "check the wound daily"]
EXTRA = {
    "dental": ["soft food for 5 days"],
    "spay": ["collar until stitches are out", "no jumping"],
    "fracture": ["cage rest for 4 weeks"],
}


@lru_cache(maxsize=None)
def instructions(surgery):
    return [*BASIC, *EXTRA.get(surgery, ())]


def numbered(lines):
    return [f"{n}. {line}" for n, line in enumerate(lines, 1)]


def wants_insulin(conditions):
    return any("diabet" in c.lower() for c in conditions)


class Aftercare(GraphBusNode):
    @subscribe("/Surgery/Done")
    def on_done(self, animal: str, surgery: str, conditions: list[str]) -> dict:
        lines = instructions(surgery)
        if wants_insulin(conditions):
            lines.append("half the insulin on the first day")
        return {"animal": animal, "sheet": numbered(lines)}
