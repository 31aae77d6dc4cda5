from graphbus_core import GraphBusNode, depends_on, schema_method


class Survey(GraphBusNode):
    @schema_method(input_schema={"plot": str}, output_schema={"trees": int})
    def count(self, plot):
        return {"trees": len(plot)}


class Saw(GraphBusNode):
    @depends_on("Survey.count")
    @schema_method(input_schema={"logs": int}, output_schema={"boards": int})
    def cut(self, logs):
        return {"boards": logs * 6}
