from dataclasses import dataclass

from graphbus_core import GraphBusNode, schema_method

from .types_ import Isbn


@dataclass
class Hit:
    shelf: str
    isbn: Isbn


class Catalogue(GraphBusNode):
    @schema_method
    def search(self, words: str) -> Hit:
        return Hit("B4", Isbn("978-3"))
