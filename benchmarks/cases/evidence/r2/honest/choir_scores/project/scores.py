from graphbus_core import GraphBusNode, depends_on, schema_method


class Librarian(GraphBusNode):
    @schema_method(input_schema={"shelf": str}, output_schema={"title": str, "pages": int})
    def fetch(self, shelf):
        return {"title": "Messiah", "pages": 250}


class Copier(GraphBusNode):
    @depends_on("Librarian.fetch")
    @schema_method(input_schema={"title": str, "pages": int, "remarks": str}, output_schema={"job": str})
    def copy(self, title, pages, remarks=""):
        return {"job": f"{title} x {pages}"}
