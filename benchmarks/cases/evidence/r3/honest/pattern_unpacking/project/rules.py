from graphbus_core import GraphBusNode, schema_method


class Rules(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"pattern": str, "sample": str})
    def load(self, name):
        return {"zip": {"pattern": r"\d{4}", "sample": "8005"}, "hex": {"pattern": r"[0-9a-f]+", "sample": "xyz"}}[name]
