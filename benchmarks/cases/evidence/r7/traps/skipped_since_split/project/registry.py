from graphbus_core import GraphBusNode, schema_method


class Registry(GraphBusNode):
    @schema_method(input_schema={"party": str}, output_schema={"number": str, "year": int})
    def entry(self, party):
        return {"number": "118", "year": 2023}
