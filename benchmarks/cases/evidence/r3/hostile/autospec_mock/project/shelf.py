from graphbus_core import GraphBusNode, depends_on, schema_method


class Shelf(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.books = []

    @depends_on("Library.find")
    @schema_method(input_schema={"title": str}, output_schema={"n": int})
    def put(self, title):
        self.books.append(title)
        return {"n": len(self.books)}
