# pure
"""Keeps nothing: the control values of a run come in one event and the window lives as long as the call."""
from collections import deque
from dataclasses import dataclass, field
from typing import Callable

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Window:
    size: int
    scores: deque[float] = field(init=False)

    def __post_init__(self) -> None:
        self.scores = deque(maxlen=self.size)

    def push(self, score: float) -> bool:
        self.scores.append(score)
        return len(self.scores) == self.size


@dataclass(frozen=True)
class Rule:
    name: str
    size: int
    broken: Callable[[deque[float]], bool]

    def first_break(self, scores: list[float]) -> int | None:
        window = Window(self.size)
        for index, score in enumerate(scores):
            if window.push(score) and self.broken(window.scores):
                return index
        return None


RULES = [
    Rule("1-3s", 1, lambda w: abs(w[0]) > 3),
    Rule("2-2s", 2, lambda w: min(w) > 2 or max(w) < -2),
    Rule("R-4s", 2, lambda w: max(w) - min(w) > 4),
    Rule("4-1s", 4, lambda w: min(w) > 1 or max(w) < -1),
]


class ControlNode(GraphBusNode):
    @subscribe("/Qc/Run")
    def on_run(self, lot: str, target: float, sd: float, values: list[float]) -> dict[str, object]:
        scores = [(value - target) / sd for value in values]
        broken = {rule.name: at for rule in RULES if (at := rule.first_break(scores)) is not None}
        return {"lot": lot, "accepted": not broken, "broken": broken}
