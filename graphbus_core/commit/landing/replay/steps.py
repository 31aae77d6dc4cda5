"""Whether new code minds what only the other side can do to the objects that it works with. Runs confined, too.

The other side gave a class a method that changes it. New code that keeps what it was once told knows nothing of it. So
a test is run four ways in the merged tree: looked at once or twice, with that step before the last look or without. Who
tells the old thing after the step, and would not, had nobody looked before, has kept it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import Any

KEEP, STEP = "graphbus_keep", "graphbus_step"
WAYS = ((False, False), (True, False), (False, True), (True, True))  # looked at before, and with the step
MAX_STEPS = 2
Function = ast.FunctionDef | ast.AsyncFunctionDef
Step = Sequence[Any]  # class, method, and the text of what it is given


def write_ways(test: Function, steps: Sequence[Step], looks: Sequence[ast.stmt]) -> Iterator[Function]:
    """The four ways of each step. `looks`: the statements of the test that look."""
    first = next((i for i, statement in enumerate(test.body) if statement in looks), None)
    for step in steps if first is not None else ():
        for is_asked, is_done in WAYS:
            variant = copy.deepcopy(test)
            keeping = _Keep(step[0])
            variant = keeping.visit(variant)
            asked = copy.deepcopy(variant.body[first:]) if is_asked else []
            call = f"{STEP}({step[0]!r}, {step[1]!r}, {is_done}, ({step[2]}))"
            variant.body[first:first] = [*asked, *ast.parse(call).body]
            if keeping.is_met:
                yield variant


class _Keep(ast.NodeTransformer):
    """Notes the objects of a class that a test makes."""

    def __init__(self, name: str) -> None:
        self.name, self.is_met = name, False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func).rpartition(".")[2] != self.name:
            return node
        self.is_met = True
        return ast.Call(ast.Name(KEEP, ast.Load()), [node], [])


class Steps:
    """The objects that a test made, and what is done to them."""

    def __init__(self) -> None:
        self.made: list[Any] = []

    def keep(self, thing: Any) -> Any:
        """Note an object."""
        self.made.append(thing)
        return thing

    def step(self, kind: str, method: str, is_done: bool, given: Sequence[Any]) -> None:
        """Call a method of all objects of a class that were noted."""
        for thing in self.made if is_done else ():
            if type(thing).__name__ == kind:
                getattr(thing, method)(*given)
