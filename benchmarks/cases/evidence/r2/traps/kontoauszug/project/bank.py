from graphbus_core import GraphBusNode, depends_on, schema_method


class Export(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"betrag": str, "zweck": str})
    def row(self, n):
        return {"betrag": "1.250,00", "zweck": "Miete"}


class Budget(GraphBusNode):
    @depends_on("Export.row")
    @schema_method(input_schema={"betrag": float, "zweck": str}, output_schema={"rest": float})
    def book(self, betrag, zweck):
        return {"rest": 2000 - float(betrag)}
