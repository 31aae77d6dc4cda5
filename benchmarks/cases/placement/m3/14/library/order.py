import re
from functools import cmp_to_key, total_ordering

from graphbus_core import GraphBusNode, subscribe

from .shelf import Loan

_CALL = re.compile(r"(?P<cls>[A-Z]{1,3})\s*(?P<num>\d+(?:\.\d+)?)(?:\s*\.?(?P<cutter>[A-Z]\d+))?")


@total_ordering
class CallNumber:
    def __init__(self, text: str) -> None:
        m = _CALL.fullmatch(text.strip())
        if m is None:
            raise ValueError(f"bad call number {text!r}")
        self.text = text.strip()
        self.key = (m["cls"], float(m["num"]), m["cutter"] or "")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CallNumber) and self.key == other.key

    def __lt__(self, other: "CallNumber") -> bool:
        return self.key < other.key


def _longest_first(a: Loan, b: Loan) -> int:
    return (b.days - a.days) or (a.book > b.book) - (a.book < b.book)


class ShelfSorter(GraphBusNode):
    @subscribe("/Cart/Sort")
    def sort(self, calls: list[str]) -> list[str]:
        good, bad = [], []
        for call in calls:
            try:
                good.append(CallNumber(call))
            except ValueError:
                bad.append(call)
        return [c.text for c in sorted(good)] + sorted(bad)


class FineLetter(GraphBusNode):
    """A reader's overdue books in one letter; the loans are made from the event."""

    @subscribe("/Reader/Overdue")
    def overdue(self, reader: str, books: dict[str, int]) -> str:
        loans = [Loan(b, reader, d) for b, d in books.items()]
        loans.sort(key=cmp_to_key(_longest_first))
        cents = sum(min(loan.days * 20, 600) for loan in loans)
        names = ", ".join(f"{loan.book} ({loan.days})" for loan in loans)
        return f"{reader}: {names or 'nothing'} = {cents / 100:.2f}"
