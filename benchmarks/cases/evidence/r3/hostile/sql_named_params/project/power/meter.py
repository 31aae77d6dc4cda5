from graphbus_core import GraphBusNode, publishes, schema_method


class Meter(GraphBusNode):
    @publishes("/Meter/Read", {"meter": str, "kwh": float})
    @schema_method(input_schema={"line": str}, output_schema={"meter": str, "kwh": float})
    def read(self, line):
        meter, kwh = line.split()
        return {"meter": meter, "kwh": float(kwh)}
