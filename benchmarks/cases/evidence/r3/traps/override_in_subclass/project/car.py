from graphbus_core import GraphBusNode, schema_method


class Odometer(GraphBusNode):
    @schema_method(input_schema={"start": int, "end": int}, output_schema={"distance": float})
    def trip(self, start, end):
        return {"distance": float(end - start)}
