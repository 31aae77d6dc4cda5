"""One decision from end to end: does A lie within B? With values that prove a "no", nearest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphbus_core.contracts.inclusion.formulas.schemas import Shapes
from graphbus_core.contracts.inclusion.solver import Solver
from graphbus_core.contracts.values.budget import Budget, GivesUp

STEPS = 250_000  # of one decision; a step takes some microseconds


@dataclass(frozen=True, slots=True)
class Decision:
    """`within` True or False is proven; None: it was given up, for `reason`. `solver` can be asked for more values."""

    within: bool | None
    value: Any = None
    reason: GivesUp | None = None
    solver: Solver | None = None
    goal: frozenset[int] = frozenset()

    def more(self, count: int) -> Iterator[Any]:
        """Values that prove the "no", the first one included, as long as the budget lasts."""
        assert self.solver is not None
        yield self.value
        goal, found = self.goal, self.value
        try:
            for _ in range(count - 1):
                goal = goal | {self.solver.shapes.const(found) ^ 1}
                one = self.solver.find(goal)
                if one is None:
                    return
                found = one[0]
                yield found
        except (GivesUp, RecursionError):
            return


def decide(
    a: Any, draft_a: int, b: Any, draft_b: int, *, formats: frozenset[str] = frozenset(), steps: int = STEPS
) -> Decision:
    """Whether every value that `a` accepts is accepted by `b`."""
    budget = Budget(steps)
    try:
        shapes = Shapes(budget, formats)
        solver = Solver(shapes, formats)
        goal = frozenset([shapes.document(a, draft_a), shapes.document(b, draft_b) ^ 1])
        found = solver.find(goal)
    except GivesUp as e:
        return Decision(None, reason=e)
    except RecursionError:
        return Decision(None, reason=GivesUp("depth", "the schemas are nested too deeply to be decided"))
    if found is None:
        return Decision(True)
    return Decision(False, found[0], None, solver, goal)
