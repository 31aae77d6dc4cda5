# stateful
"""Builds timetables; the cached function returns a list and the caller appends to it."""
from functools import lru_cache
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri")
SUBJECTS = {
    5: {"maths": 4, "german": 5, "english": 4, "sport": 3, "art": 2},
    8: {"maths": 4, "german": 4, "english": 3, "physics": 2, "latin": 3},
    11: {"maths": 5, "german": 4, "physics": 3, "history": 2},
}


class Lesson(NamedTuple):
    day: str
    hour: int
    subject: str


def spread(hours: dict[str, int]) -> list[str]:
    """Deals the subjects out so that equal ones do not follow each other."""
    left = dict(hours)
    dealt: list[str] = []
    while any(left.values()):
        for subject in sorted(left, key=lambda s: (-left[s], s)):
            if left[subject]:
                dealt.append(subject)
                left[subject] -= 1
    return dealt


@lru_cache(maxsize=32)
def basic_timetable(grade: int) -> list[Lesson]:
    known = max((g for g in SUBJECTS if g <= grade), default=5)
    subjects = spread(SUBJECTS[known])
    return [Lesson(DAYS[i % 5], i // 5 + 1, subject) for i, subject in enumerate(subjects)]


class Timetable(GraphBusNode):
    """One class with its elective courses."""

    @subscribe("/School/Class")
    def on_class(self, name: str, grade: int, electives: list[str]) -> dict[str, object]:
        lessons = basic_timetable(grade)
        for elective in electives:
            lengths = {day: sum(1 for lesson in lessons if lesson.day == day) for day in DAYS}
            day = min(DAYS, key=lambda d: (lengths[d], DAYS.index(d)))
            lessons.append(Lesson(day, lengths[day] + 1, elective))
        return {
            "class": f"{grade}{name}",
            "days": {day: [ls.subject for ls in lessons if ls.day == day] for day in DAYS},
        }
