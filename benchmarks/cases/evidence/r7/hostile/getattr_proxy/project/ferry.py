from graphbus_core import GraphBusNode, schema_method


class Ferry(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"cars": int, "bikes": int})
    def arrive(self):
        return {"cars": 60, "bikes": 9}
