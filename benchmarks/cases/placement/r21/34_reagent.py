# stateful
"""Keeps how much of each reagent is left, in the objects of a list that looks like a configuration."""
from dataclasses import dataclass
from enum import Enum

from graphbus_core import GraphBusNode, subscribe


class Verdict(Enum):
    RUN = "run"
    LOW = "run-and-order"
    HOLD = "hold"


@dataclass
class Bottle:
    reagent: str
    microlitres: int
    per_test: int
    warn_at: int

    def draw(self, tests: int) -> Verdict:
        wanted = tests * self.per_test
        if wanted > self.microlitres:
            return Verdict.HOLD
        self.microlitres -= wanted
        return Verdict.LOW if self.microlitres < self.warn_at else Verdict.RUN


RACK: tuple[Bottle, ...] = (
    Bottle("CRP-R1", 6000, 120, 1500),
    Bottle("GLU-R1", 9000, 150, 2000),
    Bottle("LDH-R2", 3000, 60, 600),
)


class ReagentNode(GraphBusNode):
    @subscribe("/Analyzer/RunWanted")
    def on_run(self, reagent: str, tests: int) -> dict[str, str]:
        for bottle in RACK:
            if bottle.reagent == reagent:
                return {"reagent": reagent, "verdict": bottle.draw(tests).value}
        return {"reagent": reagent, "verdict": Verdict.HOLD.value}
