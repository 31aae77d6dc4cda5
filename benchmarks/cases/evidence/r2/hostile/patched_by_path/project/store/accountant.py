from graphbus_core import GraphBusNode, depends_on, schema_method


class Accountant(GraphBusNode):
    @depends_on("Till.close")
    @schema_method(input_schema={"revenue": int}, output_schema={"receipt": str})
    def file(self, revenue):
        return {"receipt": f"R-{revenue}"}
