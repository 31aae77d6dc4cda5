# pure
"""A new sorter for every event, thrown away with it."""
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe


def waves(graph: dict[str, list[str]]) -> list[list[str]]:
    """Groups of targets that can be built side by side."""
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    result: list[list[str]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        sorter.done(*ready)
        result.append(ready)
    return result


class BuildPlanner(GraphBusNode):
    def __init__(self, *, max_parallel: int = 2) -> None:
        super().__init__()
        self._max_parallel = max_parallel

    def _split(self, wave: list[str]) -> list[list[str]]:
        step = self._max_parallel
        return [wave[start:start + step] for start in range(0, len(wave), step)]

    @subscribe("/Build/Requested")
    def on_event(self, build: str, graph: dict[str, list[str]]) -> dict[str, object]:
        try:
            plan = [batch for wave in waves(graph) for batch in self._split(wave)]
        except CycleError as error:
            return {"build": build, "cycle": sorted(set(error.args[1]))}
        return {"build": build, "batches": plan}
