# pure
"""Sorts the packages of one event topologically with a sorter made for it; keeps nothing."""
from graphlib import CycleError, TopologicalSorter
import re

from graphbus_core import GraphBusNode, subscribe

_LINE = re.compile(r"^(?P<name>[\w-]+)\s*(?:<-\s*(?P<needs>[\w\s,-]+))?$")
BUILTIN = frozenset({"libc", "zlib"})


def _read(lines: list[str]) -> tuple[dict[str, set[str]], list[str]]:
    graph: dict[str, set[str]] = {}
    bad: list[str] = []
    for line in lines:
        match = _LINE.match(line.strip())
        if match is None:
            bad.append(line)
            continue
        needs = re.split(r"[\s,]+", match["needs"].strip()) if match["needs"] else []
        graph.setdefault(match["name"], set()).update(n for n in needs if n and n not in BUILTIN)
    return graph, bad


def _stages(graph: dict[str, set[str]]) -> list[list[str]]:
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    stages = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        stages.append(ready)
        sorter.done(*ready)
    return stages


class BuildOrder(GraphBusNode):
    @subscribe("/Build/Manifest")
    def on_manifest(self, project: str, lines: list[str]) -> dict:
        graph, bad = _read(lines)
        missing = sorted({need for needs in graph.values() for need in needs} - graph.keys())
        try:
            stages = _stages(graph)
        except CycleError as error:
            cycle = sorted(set(error.args[1]))
            return {"project": project, "cycle": cycle, "bad": bad}
        width = max(map(len, stages), default=0)
        return {"project": project, "stages": stages, "missing": missing, "width": width, "bad": bad}
