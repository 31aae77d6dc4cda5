# stateful
"""Sorts a module list in place, so that ties keep the order of the last request."""
from dataclasses import dataclass
from operator import attrgetter

from graphbus_core import GraphBusNode, subscribe


@dataclass(frozen=True)
class Book:
    title: str
    author: str
    year: int
    language: str

    def short(self) -> str:
        return f"{self.title} ({self.author}, {self.year})"


CATALOGUE = [
    Book("Tides", "Quist", 1991, "da"),
    Book("Salt Road", "Amadi", 2004, "en"),
    Book("Le Puits", "Renard", 1991, "fr"),
    Book("Harbours", "Quist", 2004, "en"),
    Book("Glass", "Amadi", 1987, "en"),
    Book("La Grue", "Renard", 2004, "fr"),
]


def arrange(order: str) -> list[Book]:
    CATALOGUE.sort(key=attrgetter(order))
    return CATALOGUE


class Display(GraphBusNode):
    @subscribe("/Display")
    def on_display(self, order: str, take: int) -> dict[str, object]:
        books = arrange(order)[:take]
        return {"order": order, "books": [book.short() for book in books]}
