from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

class Article(TypedDict):
    ean: str
    title: str


class Catalogue(GraphBusNode):
    books = {"mug": "0040123455", "pen": "4012345601"}

    @schema_method
    def find(self, title: str) -> Article:
        return {"ean": self.books[title], "title": title}
