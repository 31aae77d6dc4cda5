from graphbus_core import GraphBusNode, schema_method


class Hasher(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"sha": str})
    def digest(self, text):
        return {"sha": f"{sum(text.encode()):08x}"}
