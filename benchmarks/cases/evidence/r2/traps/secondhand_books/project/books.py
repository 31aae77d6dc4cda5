from graphbus_core import GraphBusNode, depends_on, schema_method


class Shelf(GraphBusNode):
    @schema_method(input_schema={"place": int}, output_schema={"isbn10": str})
    def take(self, place):
        return {"isbn10": "0306406152"}


class Catalogue(GraphBusNode):
    @depends_on("Shelf.take")
    @schema_method(input_schema={"isbn": str}, output_schema={"title": str})
    def find(self, isbn):
        if len(isbn) != 13:
            raise ValueError(isbn)
        return {"title": "Error Coding" if isbn == "9780306406157" else "?"}
