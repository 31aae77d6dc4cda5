# pure
"""Keeps nothing: the queue and the set of visited cases belong to one event."""
from collections import deque

from graphbus_core import GraphBusNode, subscribe


def neighbours(links: list[list[str]]) -> dict[str, list[str]]:
    graph: dict[str, list[str]] = {}
    for left, right in links:
        graph.setdefault(left, []).append(right)
        graph.setdefault(right, []).append(left)
    return graph


def group(graph: dict[str, list[str]], start: str, seen: set[str] | None = None) -> list[str]:
    seen = set() if seen is None else seen
    waiting = deque([start])
    members = []
    while waiting:
        case = waiting.popleft()
        if case in seen:
            continue
        seen.add(case)
        members.append(case)
        waiting.extend(graph.get(case, ()))
    return sorted(members)


class RecoveryCases(GraphBusNode):
    """Finds which claims of one report belong to the same accident."""

    @subscribe("/Recovery/Report")
    def on_report(self, start: str, links: list[list[str]], amounts: dict[str, int]) -> dict[str, object]:
        graph = neighbours(links)
        mine = group(graph, start)
        seen: set[str] = set()
        groups = [found for case in sorted(graph) if (found := group(graph, case, seen))]
        total = sum(amounts.get(case, 0) for case in mine)
        return {"cases": mine, "groups": len(groups), "total": total, "sue": total > 5_000}
