from graphbus_core import GraphBusNode, depends_on, schema_method


class Folio(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.lines = []

    @depends_on("Quotes.quote")
    @schema_method(input_schema={"nightly": float}, output_schema={"total": float})
    def charge(self, nightly):
        self.lines.append(nightly)
        return {"total": sum(self.lines)}
