from graphbus_core import subscribe

from base import Desk

SHELVES = [
    {"mark": "QA76.7", "author": "Abelson", "year": 1996, "size": "octavo"},
    {"mark": "QA76.9", "author": "Knuth", "year": 1997, "size": "quarto"},
    {"mark": "PR2807", "author": "Shakespeare", "year": 1996, "size": "octavo"},
    {"mark": "PQ2625", "author": "Montaigne", "year": 1997, "size": "octavo"},
    {"mark": "DG279", "author": "Gibbon", "year": 1996, "size": "quarto"},
    {"mark": "PR3588", "author": "Milton", "year": 2003, "size": "folio"},
]


class ShelfList(Desk):
    @subscribe("/Library/Shelf/Listed")
    def listing(self, by: str, descending: bool) -> dict:
        books = SHELVES
        books.sort(key=lambda b: b[by], reverse=descending)
        return {"marks": [b["mark"] for b in books]}
