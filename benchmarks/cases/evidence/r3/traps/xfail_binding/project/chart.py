from graphbus_core import GraphBusNode, depends_on, schema_method


class Chart(GraphBusNode):
    @depends_on("Lab.analyse")
    @schema_method(input_schema={"mg_dl": float}, output_schema={"zone": str})
    def plot(self, mg_dl):
        return {"zone": "low" if mg_dl < 70 else "normal" if mg_dl < 140 else "high"}
