from graphbus_core import GraphBusNode, schema_method


class Probe(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"temp_c": float})
    def sample(self):
        return {"temp_c": -40.0}
