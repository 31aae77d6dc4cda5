from graphbus_core import GraphBusNode, depends_on, schema_method


class Bank(GraphBusNode):
    @depends_on("Desk.order")
    @schema_method(input_schema={"ref": str, "sum": int}, output_schema={"line": str})
    def pay(self, ref, sum):
        return {"line": f"{sum:>6} {ref}"}
