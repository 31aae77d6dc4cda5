"""The closed stacks of a library."""
from dataclasses import dataclass, replace
from typing import Protocol

from graphbus_core import GraphBusNode, depends_on, schema_method


class HasShelf(Protocol):
    shelf: str


@dataclass(frozen=True)
class Book:
    title: str
    shelf: str
    lent_to: str | None = None


class Catalogue(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.books = {
            "978-1": Book("Tides", "C 12", lent_to="reading room"),
            "978-2": Book("Locks and Weirs", "C 14"),
        }

    def lend(self, isbn, to):
        self.books[isbn] = replace(self.books[isbn], lent_to=to)

    def neighbours(self, book: HasShelf):
        aisle = book.shelf.split()[0]
        return [b.title for b in self.books.values() if b.shelf.startswith(aisle) and b is not book]

    @schema_method(input_schema={"isbn": str}, output_schema={"title": str, "shelf": str})
    def look_up(self, isbn):
        book = self.books[isbn]
        return {"title": book.title, "shelf": book.shelf}


class Slip(GraphBusNode):
    @depends_on("Catalogue.look_up")
    @schema_method(
        input_schema={"title": str, "location": str},
        output_schema={"slip": str},
    )
    def print_for(self, title, location):
        return {"slip": f"[{location}] {title}"}
