from graphbus_core import GraphBusNode, schema_method


class Importer(GraphBusNode):
    def __init__(self, rows):
        super().__init__()
        self.rows = rows

    @schema_method(input_schema={}, output_schema={"count": int})
    def read(self):
        return {"count": len(self.rows)}

    @schema_method(input_schema={}, output_schema={"count": int})
    def keep(self):
        self.rows = [r for r in self.rows if r.strip()]
        return {"count": len(self.rows)}
