# pure
"""Keeps nothing: the sorter is made for one graph and dropped."""
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Plan:
    dependencies: dict[str, list[str]]
    minutes: dict[str, int]
    _finished: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def waves(self) -> list[list[str]]:
        sorter = TopologicalSorter(self.dependencies)
        sorter.prepare()
        waves = []
        while sorter.is_active():
            ready = sorted(sorter.get_ready())
            waves.append(ready)
            sorter.done(*ready)
        return waves

    def finished(self, job: str) -> int:
        if job not in self._finished:
            before = max((self.finished(other) for other in self.dependencies.get(job, ())), default=0)
            self._finished[job] = before + self.minutes.get(job, 1)
        return self._finished[job]

    @cached_property
    def critical(self) -> list[str]:
        path: list[str] = []
        layer = [job for wave in self.waves for job in wave]
        while layer:
            last = max(layer, key=lambda job: (self.finished(job), job))
            path.append(last)
            layer = self.dependencies.get(last, [])
        return path[::-1]


def dependents(dependencies: dict[str, list[str]]) -> dict[str, list[str]]:
    result: defaultdict[str, list[str]] = defaultdict(list)
    for job, needed in sorted(dependencies.items()):
        for other in needed:
            result[other].append(job)
    return dict(sorted(result.items()))


class BuildOrder(GraphBusNode):
    @subscribe("/build/plan")
    def on_plan(self, dependencies: dict[str, list[str]], minutes: dict[str, int]) -> dict[str, object]:
        plan = Plan(dependencies, minutes)
        try:
            waves = plan.waves
        except CycleError as error:
            return {"error": "cycle", "jobs": sorted(set(error.args[1]))}
        total = max((plan.finished(job) for wave in waves for job in wave), default=0)
        return {"waves": waves, "minutes": total, "critical": plan.critical, "unblocks": dependents(dependencies)}
