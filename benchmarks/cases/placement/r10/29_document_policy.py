# stateful
"""Keeps which document kinds are exempt, by registering them as virtual subclasses of an abstract class."""
from abc import ABC
from typing import Any

from graphbus_core import GraphBusNode, subscribe


class Document:
    retention_years = 6

    def __init__(self, number: str, pages: int) -> None:
        self.number = number
        self.pages = pages

    @property
    def size(self) -> str:
        return "large" if self.pages > 50 else "small"


class Invoice(Document):
    retention_years = 10


class CreditNote(Invoice):
    pass


class Letter(Document):
    pass


class Exempt(ABC):
    """Documents that need no second pair of eyes."""


KINDS: dict[str, type[Document]] = {"invoice": Invoice, "credit": CreditNote, "letter": Letter}


class DocumentPolicy(GraphBusNode):
    @subscribe("/policy/exempt")
    def on_exempt(self, kind: str) -> dict[str, Any]:
        cls = KINDS.get(kind)
        if cls is None:
            return {"error": kind}
        Exempt.register(cls)
        return {"exempt": kind, "retention": cls.retention_years}

    @subscribe("/document/received")
    def on_document(self, kind: str, number: str, pages: int) -> dict[str, Any]:
        document = KINDS.get(kind, Letter)(number, pages)
        match document:
            case Exempt():
                queue = "archive"
            case Invoice():
                queue = "accounting"
            case _:
                queue = "clerk"
        return {"number": number, "queue": queue, "size": document.size, "years": document.retention_years}
