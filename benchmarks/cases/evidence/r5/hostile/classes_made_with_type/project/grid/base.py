from graphbus_core import GraphBusNode, depends_on, schema_method


class Grid(GraphBusNode):
    @schema_method(input_schema={"bus": int}, output_schema={"volt": int})
    def measure(self, bus):
        return {"volt": 230 + bus}


class Relay(GraphBusNode):
    limit = 240

    @depends_on("Grid.measure")
    @schema_method(input_schema={"voltage": int}, output_schema={"tripped": bool})
    def trip(self, voltage):
        return {"tripped": voltage > self.limit}
