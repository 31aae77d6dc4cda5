from graphbus_core import GraphBusNode, depends_on, schema_method


class Pump(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"litres": float})
    def flow(self):
        return {"litres": 40.0}


class Bill(GraphBusNode):
    @depends_on("Pump.flow")
    @schema_method(input_schema={"volume": float}, output_schema={"euros": float})
    def make(self, volume):
        return {"euros": volume * 1.5}
