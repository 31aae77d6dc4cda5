from graphbus_core import GraphBusNode, schema_method


class Probe(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"moisture": float, "salinity": float})
    def read(self):
        return {"moisture": 0.6, "salinity": 0.2}
