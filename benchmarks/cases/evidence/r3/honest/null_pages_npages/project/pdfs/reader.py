from graphbus_core import GraphBusNode, schema_method


class Pdf(GraphBusNode):
    @schema_method(input_schema={"data": str}, output_schema={"size_kb": int, "pages": int})
    def open_file(self, data):
        return {"size_kb": len(data) * 100, "pages": len(data)}
