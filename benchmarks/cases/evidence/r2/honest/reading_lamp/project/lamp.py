from typing import Optional, TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Loan(TypedDict):
    book: str
    note: Optional[str]


class Reader(GraphBusNode):
    @schema_method
    def borrow(self, book: str) -> Loan:
        return {"book": book, "note": "torn page" if book == "Emma" else None}


class Slip(GraphBusNode):
    @depends_on("Reader.borrow")
    @schema_method
    def print(self, book: str, note: str) -> dict[str, str]:
        return {"slip": book if note is None else f"{book} ({note})"}
