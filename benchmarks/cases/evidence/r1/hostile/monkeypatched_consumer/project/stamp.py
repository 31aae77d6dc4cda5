from graphbus_core import GraphBusNode, depends_on, schema_method


class Clock(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"epoch_s": int})
    def now(self):
        return {"epoch_s": 1000}


class Stamp(GraphBusNode):
    @depends_on("Clock.now")
    @schema_method(input_schema={"seconds": int}, output_schema={"mark": str})
    def mark(self, seconds):
        return {"mark": f"T{seconds}"}
