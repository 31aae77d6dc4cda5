from graphbus_core import GraphBusNode, schema_method


class Library(GraphBusNode):
    BOOKS = {"0-14": "Emma", "0-15": "Ulysses"}

    @schema_method(input_schema={"isbn": str}, output_schema={"name": str})
    def find(self, isbn):
        return {"name": self.BOOKS[isbn]}
