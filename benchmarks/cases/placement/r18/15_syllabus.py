# stateful
"""The cached function returns one list per course, and the handler extends that very list with the student's electives."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

COURSES = {
    "BIO": "cells:4 genetics:5 ecology:4 lab-methods:2",
    "CS": "programming:6 algorithms:5 networks:3 databases:3",
    "HIS": "antiquity:4 archives:3 modern-europe:5",
}
CREDITS = {"statistics": 4, "latin": 3, "choir": 1, "ethics": 2, "ecology": 4}


@lru_cache(maxsize=None)
def required_modules(course: str) -> list[tuple[str, int]]:
    modules = []
    for part in COURSES[course].split():
        name, _, points = part.partition(":")
        modules.append((name, int(points)))
    return modules


def with_electives(course: str, electives: list[str]) -> list[tuple[str, int]]:
    plan = required_modules(course)
    chosen = [(name, CREDITS.get(name, 2)) for name in electives]
    known = {name for name, _ in plan}
    plan += [entry for entry in chosen if entry[0] not in known]
    return plan


def describe(plan: list[tuple[str, int]]) -> str:
    return ", ".join(f"{name} ({points})" for name, points in sorted(plan))


class StudyPlans(GraphBusNode):
    @subscribe("/Registry/Enrol")
    def on_enrol(self, student: str, course: str, electives: list[str]) -> dict[str, object]:
        if course not in COURSES:
            return {"student": student, "error": f"no course {course}"}
        plan = with_electives(course, electives)
        return {
            "student": student,
            "credits": sum(points for _, points in plan),
            "plan": describe(plan),
        }
