# pure
"""Sorts the needed courses by prerequisites, with a sorter made for each event."""
from graphlib import TopologicalSorter

from graphbus_core import GraphBusNode, subscribe

REQUIRES = {
    "calculus": {"algebra", "geometry"},
    "mechanics": {"calculus"},
    "optics": {"calculus", "geometry"},
}


def closure(courses: list[str]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    todo = list(courses)
    while todo:
        course = todo.pop()
        if course in graph:
            continue
        graph[course] = set(REQUIRES.get(course, ()))
        todo.extend(graph[course])
    return graph


def terms(graph: dict[str, set[str]], per_term: int) -> list[list[str]]:
    sorter = TopologicalSorter(graph)
    sorter.prepare()
    plan: list[list[str]] = []
    waiting: list[str] = []
    while sorter.is_active():
        waiting.extend(sorter.get_ready())
        waiting.sort()
        now, waiting = waiting[:per_term], waiting[per_term:]
        sorter.done(*now)
        plan.append(now)
    return plan


class Advisor(GraphBusNode):
    @subscribe("/Courses")
    def on_courses(self, courses: list[str], per_term: int) -> dict[str, object]:
        plan = terms(closure(courses), per_term)
        return {"terms": {f"T{i}": names for i, names in enumerate(plan, 1)}, "length": len(plan)}
