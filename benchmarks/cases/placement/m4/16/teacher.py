from graphbus_core import GraphBusNode, subscribe

from grades import COMMENTS, Subject, Term
from seating import PREFERENCES


class ClassTest(GraphBusNode):
    @subscribe("/school/mark")
    def mark(self, subject: str, mark: int) -> dict:
        s = Subject[subject]
        return {"median": s.record(mark), "subject": s.label}


class Seating(GraphBusNode):
    @subscribe("/school/seat")
    def seat(self, pupil: str, row: str) -> dict:
        PREFERENCES[row].append(pupil)
        return {"pupil": pupil, "with": [p for p in PREFERENCES["front"] if p != pupil][-2:]}


class Report(GraphBusNode):
    """One pupil's report."""

    @subscribe("/school/report")
    def report(self, term: int, marks: dict) -> dict:
        sheet = Term(term).blank_sheet()
        total = weights = 0
        for name, mark in marks.items():
            s = Subject[name]
            sheet[s.label] = COMMENTS[mark]
            total += s.weight * mark
            weights += s.weight
        sheet["average"] = round(total / weights, 2) if weights else None
        return sheet
