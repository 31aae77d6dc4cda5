from graphbus_core import GraphBusNode, schema_method


class Meter(GraphBusNode):
    @schema_method(output_schema={"glucose": float})
    def read(self):
        return {"glucose": 99.0}
