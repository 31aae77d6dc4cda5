from graphbus_core import GraphBusNode, depends_on, schema_method


class Balloon(GraphBusNode):
    @schema_method(input_schema={"minute": int}, output_schema={"hpa": float})
    def rise(self, minute):
        return {"hpa": 1013.0 - 10 * minute}


class Altimeter(GraphBusNode):
    @depends_on("Balloon.rise")
    @schema_method(input_schema={"pressure": float}, output_schema={"metres": float})
    def height(self, pressure):
        return {"metres": (1013.0 - pressure) * 8}
