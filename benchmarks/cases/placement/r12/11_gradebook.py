# pure
"""The strategies are made once and hold only their parameters; marks come with the event."""
from abc import ABC, abstractmethod
from statistics import fmean, median
from typing import ClassVar

from graphbus_core import GraphBusNode, subscribe


class Scheme(ABC):
    name: ClassVar[str]

    @abstractmethod
    def combine(self, marks: list[float]) -> float: ...

    def __call__(self, marks: list[float]) -> float:
        usable = [m for m in marks if 0 <= m <= 100]
        return round(self.combine(usable), 1) if usable else 0.0


class Mean(Scheme):
    name = "mean"

    def combine(self, marks: list[float]) -> float:
        return fmean(marks)


class DropLowest(Scheme):
    name = "drop"

    def __init__(self, count: int) -> None:
        self.count = count

    def combine(self, marks: list[float]) -> float:
        kept = sorted(marks)[min(self.count, len(marks) - 1):]
        return fmean(kept)


class Median(Scheme):
    name = "median"

    def combine(self, marks: list[float]) -> float:
        return median(marks)


class Letters:
    STEPS = ((90.0, "A"), (80.0, "B"), (70.0, "C"), (60.0, "D"))

    def __getitem__(self, mark: float) -> str:
        return next((letter for floor, letter in self.STEPS if mark >= floor), "F")


class GradeBook(GraphBusNode):
    def __init__(self, dropped: int = 1) -> None:
        super().__init__()
        schemes: list[Scheme] = [Mean(), DropLowest(dropped), Median()]
        self._schemes = {scheme.name: scheme for scheme in schemes}
        self._letters = Letters()

    @subscribe("/School/Marks")
    def on_marks(self, pupil: str, scheme: str, marks: list[float]) -> dict[str, object]:
        combine = self._schemes.get(scheme, self._schemes["mean"])
        mark = combine(marks)
        return {"pupil": pupil, "mark": mark, "letter": self._letters[mark], "scheme": combine.name}
