# pure
"""Sorts the graph that comes with the event; the sorter does not outlive the call."""
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe


def waves(graph: dict[str, list[str]]) -> list[list[str]]:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for target in sorted(graph):
        sorter.add(target, *graph[target])
    sorter.prepare()
    result: list[list[str]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        result.append(ready)
        sorter.done(*ready)
    return result


class BuildPlanner(GraphBusNode):
    """Plans which targets can be built side by side."""

    @subscribe("/builds/requested")
    def on_build(self, commit: str, graph: dict[str, list[str]]) -> dict[str, object]:
        try:
            order = waves(graph)
        except CycleError as problem:
            loop = problem.args[1]
            return {"commit": commit[:8], "ok": False, "cycle": sorted(set(loop))}
        return {"commit": commit[:8], "ok": True, "waves": order}
