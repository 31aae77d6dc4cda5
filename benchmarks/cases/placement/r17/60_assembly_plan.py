# pure
"""Keeps nothing: the template is copied before it is changed, and the warnings are caught anew for every plan."""
from __future__ import annotations

import copy
import graphlib
import itertools
import warnings
from collections import defaultdict, deque
from types import SimpleNamespace
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

TEMPLATE = {
    "bicycle": {"needs": ["frame", "wheel", "wheel"], "minutes": 25},
    "wheel": {"needs": ["rim", "hub"], "minutes": 12},
    "frame": {"needs": ["tube"], "minutes": 40},
    "hub": {"needs": [], "minutes": 6},
}


class PlanWarning(UserWarning):
    pass


def numberer(prefix: str) -> Callable[[str], str]:
    seen: dict[str, int] = {}
    count = itertools.count(1)

    def number(name: str) -> str:
        if name not in seen:
            seen[name] = next(count)
        return f"{prefix}{seen[name]}"

    return number


class AssemblyPlans(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._template = TEMPLATE

    def _merged(self, changes: dict[str, list[str]]) -> dict[str, dict]:
        parts = copy.deepcopy(self._template)
        for part, needs in changes.items():
            entry = parts.setdefault(part, {"needs": [], "minutes": 10})
            entry["needs"] += needs
            if len(needs) != len(set(needs)):
                warnings.warn(f"{part} names a part twice", PlanWarning, stacklevel=2)
            entry["minutes"] += 2 * len(needs)
        return parts

    @subscribe("/Plans")
    def on_plan(self, product: str, changes: dict[str, list[str]]) -> dict[str, object]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", PlanWarning)
            parts = self._merged(changes)
        state = SimpleNamespace(minutes=0, steps=[], bought=defaultdict(int))
        sorter: graphlib.TopologicalSorter[str] = graphlib.TopologicalSorter()
        todo, known = deque([product]), {product}
        while todo:
            name = todo.popleft()
            needs = parts[name]["needs"] if name in parts else []
            sorter.add(name, *needs)
            fresh = [need for need in dict.fromkeys(needs) if need not in known]
            known.update(fresh)
            todo.extend(fresh)
        try:
            sorter.prepare()
        except graphlib.CycleError as problem:
            return {"error": "cycle of " + str(len(problem.args[1]) - 1)}
        number = numberer("S")
        while sorter.is_active():
            for name in sorted(ready := sorter.get_ready()):
                if name in parts:
                    state.minutes += parts[name]["minutes"]
                    state.steps.append(f"{number(name)} {name}")
                else:
                    state.bought[name] += 1
            sorter.done(*ready)
        return {**vars(state), "bought": sorted(state.bought), "warnings": [str(w.message) for w in caught]}
