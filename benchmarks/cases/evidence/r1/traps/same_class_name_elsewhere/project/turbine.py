from graphbus_core import GraphBusNode, depends_on, schema_method


class Turbine(GraphBusNode):
    @depends_on("Wind.measure")
    @schema_method(input_schema={"mps": float}, output_schema={"brake": bool})
    def brake(self, mps):
        return {"brake": mps > 25}
