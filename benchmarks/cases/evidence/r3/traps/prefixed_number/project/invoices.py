from graphbus_core import GraphBusNode, schema_method


class Invoices(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"number": str})
    def issue(self, n):
        return {"number": f"{n:06d}"}
