from graphbus_core import GraphBusNode, depends_on, schema_method


def rate(share):
    return f"{share:.1f} %"


class Parser(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"rate": float})
    def parse(self, text):
        return {"rate": float(text)}


class Tax(GraphBusNode):
    @depends_on("Parser.parse")
    @schema_method(input_schema={"percent": float}, output_schema={"line": str})
    def levy(self, percent):
        return {"line": "tax " + rate(percent)}
