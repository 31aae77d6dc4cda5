# pure
"""A sorter of tasks can be used up but once, so there is one for each event."""
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

ALWAYS = {"package": ["compile", "docs"], "compile": ["configure"], "docs": ["configure"]}


def closure(graph: dict[str, list[str]], goals: list[str]) -> dict[str, list[str]]:
    needed: dict[str, list[str]] = {}
    waiting = list(goals)
    while waiting:
        task = waiting.pop()
        if task not in needed:
            needed[task] = graph.get(task, [])
            waiting.extend(needed[task])
    return needed


class BuildOrder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/build/plan")
    def on_plan(self, goals: list[str], extra: dict[str, list[str]]) -> dict[str, object]:
        graph = {task: list(needs) for task, needs in ALWAYS.items()}
        for task, needs in extra.items():
            graph.setdefault(task, []).extend(needs)
        sorter = TopologicalSorter(closure(graph, goals))
        try:
            sorter.prepare()
        except CycleError as problem:
            return {"cycle": sorted(set(problem.args[1]))}
        waves: list[list[str]] = []
        while sorter.is_active():
            ready = sorted(sorter.get_ready())
            waves.append(ready)
            sorter.done(*ready)
        return {"waves": waves}
