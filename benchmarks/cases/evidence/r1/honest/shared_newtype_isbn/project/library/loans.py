from graphbus_core import GraphBusNode, depends_on, schema_method

from .types_ import Isbn


class Loans(GraphBusNode):
    @depends_on("Catalogue.search")
    @schema_method
    def lend(self, book: Isbn) -> dict[str, str]:
        return {"slip": f"ISBN {book}, two weeks"}
