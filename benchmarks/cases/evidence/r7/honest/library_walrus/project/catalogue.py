from graphbus_core import GraphBusNode, schema_method

BOOKS = {"dunes": ("F 12.4", "978-0-1"), "birds": ("A 3", "978-0-2")}


class Catalogue(GraphBusNode):
    @schema_method(input_schema={"title": str}, output_schema={"shelfmark": str, "isbn": str})
    def find(self, title):
        if title not in BOOKS:
            return {"shelfmark": "", "isbn": ""}
        return dict(zip(("shelfmark", "isbn"), BOOKS[title]))
