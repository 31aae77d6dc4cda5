# pure
"""Keeps nothing: the sorter is made anew for each kit."""
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

MINUTES = defaultdict(lambda: 10, {"frame": 25, "wheels": 15, "paint": 60, "saddle": 5, "brakes": 30, "lights": 12})
ALWAYS = {"lights": {"frame"}, "brakes": {"wheels"}}


class Workshop:
    """Gives out the steps that are ready, two at a time."""

    def __init__(self, benches: int = 2) -> None:
        self.benches = benches
        self.clock = 0
        self.log: list[tuple[int, str]] = []

    def run(self, sorter: TopologicalSorter) -> None:
        sorter.prepare()
        waiting: list[str] = []
        while sorter.is_active():
            waiting.extend(sorter.get_ready())
            waiting.sort(key=lambda step: (-MINUTES.get(step, 10), step))
            batch, waiting = waiting[: self.benches], waiting[self.benches :]
            for step in batch:
                self.log.append((self.clock, step))
            self.clock += max((MINUTES.get(step, 10) for step in batch), default=0)
            sorter.done(*batch)


class AssemblyOrder(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._benches = 2

    @subscribe("/Workshop/Kit")
    def on_kit(self, kit: str, needs: dict[str, list[str]]) -> dict[str, object]:
        sorter: TopologicalSorter = TopologicalSorter()
        for step, before in needs.items():
            sorter.add(step, *before)
        for step, before in ALWAYS.items():
            if step in needs:
                sorter.add(step, *before)
        workshop = Workshop(self._benches)
        try:
            workshop.run(sorter)
        except CycleError as error:
            return {"kit": kit, "error": f"circle of {len(set(error.args[1]))} steps"}
        return {"kit": kit, "minutes": workshop.clock, "steps": [f"{at:>3} {step}" for at, step in workshop.log]}
