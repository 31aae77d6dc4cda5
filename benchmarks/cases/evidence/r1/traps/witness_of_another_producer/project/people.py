from graphbus_core import GraphBusNode, schema_method


class Speakers(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"name": str})
    def next(self):
        return {"name": "Grace"}
