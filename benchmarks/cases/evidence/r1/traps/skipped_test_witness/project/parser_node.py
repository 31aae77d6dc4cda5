from graphbus_core import GraphBusNode, schema_method


class Parser(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"line_no": int})
    def parse(self, text):
        return {"line_no": text.count("\n") + 1}
