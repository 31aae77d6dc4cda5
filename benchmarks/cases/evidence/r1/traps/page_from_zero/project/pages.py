from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Hit:
    page_index: int
    text: str


class Search(GraphBusNode):
    BOOK = ["title", "whale", "sea"]

    @schema_method
    def hit(self, word: str) -> Hit:
        return Hit(self.BOOK.index(word), word)


class Printer(GraphBusNode):
    @depends_on("Search.hit")
    @schema_method
    def print_page(self, page: int) -> dict[str, str]:
        return {"paper": Search.BOOK[page - 1]}
