from graphbus_core import GraphBusNode, depends_on, schema_method


class Export(GraphBusNode):
    @depends_on("Turbine.hour")
    @schema_method(input_schema={"hour": int, "mwh": float}, output_schema={"row": str})
    def line(self, hour, mwh):
        return {"row": f"{hour};{mwh}"}
