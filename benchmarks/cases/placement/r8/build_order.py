# pure
"""Keeps nothing: a new TopologicalSorter sorts the graph that came with the event."""
import re
from graphlib import CycleError, TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

LINE = re.compile(r"^(?P<target>[\w./-]+)\s*:\s*(?P<needs>[\w./ -]*)$")


class MakefileError(ValueError):
    pass


def parse(text: str) -> dict[str, list[str]]:
    graph: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].rstrip()
        if not line or line.startswith("\t"):
            continue
        match = LINE.match(line)
        if match is None:
            raise MakefileError(f"line {number}")
        graph.setdefault(match["target"], []).extend(match["needs"].split())
    return graph


def stages(graph: dict[str, list[str]]) -> list[list[str]]:
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    result = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        result.append(ready)
        sorter.done(*ready)
    return result


class BuildOrder(GraphBusNode):
    """Splits a makefile into stages that can be built side by side."""

    @subscribe("/Builds/Makefile")
    def on_makefile(self, project: str, text: str) -> dict[str, object]:
        try:
            plan = stages(parse(text))
        except MakefileError as exc:
            return {"project": project, "error": f"syntax, {exc}"}
        except CycleError as exc:
            return {"project": project, "error": "cycle", "nodes": sorted(set(exc.args[1]))}
        return {"project": project, "stages": plan}
