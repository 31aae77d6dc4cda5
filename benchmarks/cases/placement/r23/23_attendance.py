# pure
"""Generator pipelines over the event's own list; they are used up before the event ends."""
from itertools import groupby, pairwise, takewhile
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe


def parse(lines):
    for line in lines:
        student, _, rest = line.partition(",")
        day, _, mark = rest.partition(",")
        if day.strip().isdigit():
            yield student.strip(), int(day), mark.strip() or "x"


def per_student(records):
    for student, rows in groupby(sorted(records), key=itemgetter(0)):
        yield student, [(day, mark) for _, day, mark in rows]


def gaps(days):
    return sum(b - a > 3 for a, b in pairwise(days))


def streak(rows):
    return sum(1 for _ in takewhile(lambda row: row[1] == "x", reversed(rows)))


def summary(records):
    for student, rows in per_student(records):
        present = [day for day, mark in rows if mark == "x"]
        yield {"student": student, "present": len(present), "gaps": gaps(present), "streak": streak(rows)}


class Attendance(GraphBusNode):
    @subscribe("/Lesson/AttendanceFile")
    def on_file(self, text: str, minimum: int = 0) -> list[dict]:
        self.rows = summary(parse(text.splitlines()))
        return [row for row in self.rows if row["present"] >= minimum]
