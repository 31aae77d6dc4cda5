from graphbus_core import GraphBusNode, depends_on, schema_method


class Scanner(GraphBusNode):
    @schema_method(input_schema={"page": str}, output_schema={"title": str, "isbn13": str})
    def scan(self, page):
        title, isbn13 = page.split("|")
        return {"title": title, "isbn13": isbn13}


class Shelf(GraphBusNode):
    @depends_on("Scanner.scan")
    @schema_method(input_schema={"isbn": str}, output_schema={"shelf": str})
    def place(self, isbn):
        """Shelves go by the group digits after the 13-digit number's prefix."""
        return {"shelf": isbn.removeprefix("978")[:2]}
