from graphbus_core import GraphBusNode, depends_on, schema_method


class Dilution(GraphBusNode):
    sample_ul, wanted = 20, 1.0

    @depends_on("Assay.measure")
    @schema_method(input_schema={"stock": float}, output_schema={"buffer_ul": float})
    def plan(self, stock):
        return {"buffer_ul": self.sample_ul * (stock / self.wanted - 1)}
