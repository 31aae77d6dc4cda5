from graphbus_core import GraphBusNode, subscribe

from . import shelf


class LendingDesk(GraphBusNode):
    PERIOD = {"child": 42, "adult": 28, "guest": 7}

    def __init__(self) -> None:
        super().__init__()
        self._alive: dict[str, shelf.Loan] = {}

    @subscribe("/Book/Lent")
    def lent(self, book: str, reader: str, status: str) -> dict:
        loan = shelf.Loan(book, reader, self.PERIOD.get(status, 7))
        self._alive[book] = loan
        shelf.loans[book] = loan
        return {"book": book, "days": loan.days}

    @subscribe("/Book/Back")
    def back(self, book: str) -> str:
        self._alive.pop(book, None)
        return f"reshelve {book}"


class WhereIs(GraphBusNode):
    @subscribe("/Book/Where")
    def where(self, book: str) -> str:
        loan = shelf.find(book)
        return f"with {loan.reader}" if loan else "on the shelf"
