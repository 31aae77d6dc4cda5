# stateful
"""Keeps the notes added to an exception that is made once for the whole module and raised again and again."""
from datetime import date, timedelta

from graphbus_core import GraphBusNode, subscribe


class LoanRefused(Exception):
    """The desk may not hand out the book."""


TOO_MANY = LoanRefused("too many books")
REFERENCE_ONLY = LoanRefused("to be read in the hall only")
PERIODS = {"novel": 28, "textbook": 56, "film": 7}


def due_date(kind: str, held: int, today: date) -> date:
    if kind not in PERIODS:
        raise REFERENCE_ONLY
    if held >= 5:
        raise TOO_MANY
    due = today + timedelta(days=PERIODS[kind])
    while due.weekday() == 6:
        due += timedelta(days=1)
    return due


class LoanDesk(GraphBusNode):
    @subscribe("/Library/LoanAsked")
    def on_loan(self, reader: str, kind: str, held: int, day: str) -> dict[str, object]:
        try:
            try:
                due = due_date(kind, held, date.fromisoformat(day))
            except LoanRefused as refused:
                refused.add_note(f"reader {reader} holds {held}")
                raise
        except LoanRefused as refused:
            lines = [str(refused), *getattr(refused, "__notes__", ())]
            return {"granted": False, "letter": "\n".join(lines)}
        return {"granted": True, "letter": f"{reader}: back by {due:%d %B %Y}"}
