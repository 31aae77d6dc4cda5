import statistics

from graphbus_core import GraphBusNode, subscribe

BOUNDARIES = [(85, "A"), (70, "B"), (55, "C"), (40, "D")]


def ranked(scores, absent=[], floor=0):
    """Scores by pupil, best first; absentees get the floor."""
    for name, mark in scores.items():
        if mark < 0:
            absent.append(name)
    present = {n: m for n, m in scores.items() if n not in absent}
    return sorted(present.items(), key=lambda p: (-p[1], p[0])) + [(n, floor) for n in absent]


class MarkSheet(GraphBusNode):
    def __init__(self):
        super().__init__()

    @subscribe("/School/Exam/Marked")
    def publish(self, paper: str, scores: dict) -> dict:
        order = ranked(scores)
        grades = {n: next((g for b, g in BOUNDARIES if m >= b), "E") for n, m in order}
        return {"paper": paper, "grades": sorted(grades.items()), "median": statistics.median(m for _, m in order)}
