# pure
"""Keeps nothing: each event brings its whole graph and gets a sorter of its own."""
import heapq
from collections import ChainMap
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

COSTS = {"core": 5, "net": 3, "ui": 8, "docs": 1}


def stages(sorter: TopologicalSorter):
    sorter.prepare()
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        yield ready
        sorter.done(*ready)


def makespan(jobs: list[int], workers: int = 2) -> int:
    loads = [0] * workers
    for job in sorted(jobs, reverse=True):
        heapq.heapreplace(loads, loads[0] + job)
    return max(loads)


class BuildOrder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.costs = ChainMap(COSTS)

    @subscribe("/build/graph")
    def plan(self, edges: list[str]) -> dict[str, object]:
        sorter: TopologicalSorter[str] = TopologicalSorter()
        for edge in edges:
            target, _, needed = edge.partition("<-")
            sorter.add(target.strip(), *needed.split())
        costs = self.costs.new_child({})
        try:
            plan = list(stages(sorter))
        except CycleError as err:
            return {"cycle": sorted(set(err.args[1]))}
        return {"stages": plan, "minutes": sum(makespan([costs.setdefault(j, 2) for j in s]) for s in plan)}
