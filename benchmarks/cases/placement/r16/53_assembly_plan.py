# pure
"""Keeps nothing: the sorter is consumed and thrown away within the event."""
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from itertools import count

from graphbus_core import GraphBusNode, subscribe


class Step:
    __slots__ = ("name", "minutes", "needs", "start")

    def __init__(self, text: str) -> None:
        head, _, needs = text.partition("<-")
        name, _, minutes = head.partition("@")
        self.name = name.strip()
        self.minutes = int(minutes or 1)
        self.needs = frozenset(filter(None, map(str.strip, needs.split(","))))
        self.start = 0

    @property
    def end(self) -> int:
        return self.start + self.minutes


class Plan:
    def __init__(self, texts: list[str]) -> None:
        self.steps = {step.name: step for step in map(Step, texts)}
        self._numbers = count(1)
        self.waves: defaultdict[int, list[str]] = defaultdict(list)

    def schedule(self) -> None:
        sorter = TopologicalSorter({step.name: step.needs for step in self.steps.values()})
        sorter.prepare()
        while sorter.is_active():
            wave = next(self._numbers)
            for name in sorted(sorter.get_ready()):
                step = self.steps.setdefault(name, Step(name + "@0"))
                step.start = max((self.steps[need].end for need in step.needs), default=0)
                self.waves[wave].append(name)
                sorter.done(name)

    def critical(self) -> list[str]:
        trail = [max(self.steps.values(), key=lambda step: (step.end, step.name))]
        while trail[-1].needs:
            trail.append(max((self.steps[need] for need in trail[-1].needs), key=lambda step: (step.end, step.name)))
        return [step.name for step in reversed(trail)]


class AssemblyPlan(GraphBusNode):
    @subscribe("/Plant/Plan")
    def on_plan(self, steps: list[str]) -> dict[str, object]:
        plan = Plan(steps)
        try:
            plan.schedule()
        except CycleError as problem:
            return {"cycle": sorted(set(problem.args[1]))}
        if not plan.steps:
            return {"waves": {}, "minutes": 0, "critical": []}
        return {
            "waves": {str(wave): names for wave, names in plan.waves.items()},
            "minutes": max(step.end for step in plan.steps.values()),
            "critical": plan.critical(),
        }
