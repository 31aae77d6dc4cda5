import weakref
from dataclasses import dataclass


@dataclass(eq=False)
class Loan:
    book: str
    reader: str
    days: int


loans: "weakref.WeakValueDictionary[str, Loan]" = weakref.WeakValueDictionary()


def find(book: str):
    return loans.get(book)
