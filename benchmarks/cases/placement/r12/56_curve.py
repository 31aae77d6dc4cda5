# stateful
"""The boundaries of the grades are a cached property of the node, worked out from the first exam and kept for all others."""
from functools import cached_property
from statistics import fmean, pstdev
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Boundary(NamedTuple):
    floor: float
    grade: int


STEPS = ((1.2, 1), (0.4, 2), (-0.4, 3), (-1.2, 4))


class CurveMixin:
    """Grades on a curve: the boundaries follow from the mean and the spread of the points."""

    points: list[int]

    @cached_property
    def boundaries(self) -> tuple[Boundary, ...]:
        mean = fmean(self.points)
        spread = pstdev(self.points) or 1.0
        return tuple(Boundary(mean + z * spread, grade) for z, grade in STEPS)

    def grade(self, points: int) -> int:
        for floor, grade in self.boundaries:
            if points >= floor:
                return grade
        return 5


class ExamGrades(CurveMixin, GraphBusNode):
    @subscribe("/Exam/Corrected")
    def on_exam(self, exam: str, points: list[int]) -> dict[str, object]:
        self.points = [max(0, p) for p in points] or [0]
        grades = [self.grade(p) for p in self.points]
        return {
            "exam": exam,
            "grades": grades,
            "average": round(fmean(grades), 2),
            "failed": sum(1 for g in grades if g > 4),
        }
