from graphbus_core import GraphBusNode, depends_on, schema_method


class Odometer(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"miles": int})
    def read(self):
        return {"miles": 10000}


class Service(GraphBusNode):
    @depends_on("Odometer.read")
    @schema_method(input_schema={"km": int}, output_schema={"due": bool})
    def due(self, km):
        return {"due": km >= 15000}
