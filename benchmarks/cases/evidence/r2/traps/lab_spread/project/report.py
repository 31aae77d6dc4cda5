from graphbus_core import GraphBusNode, depends_on, schema_method


class Report(GraphBusNode):
    @depends_on("Bench.measure")
    @schema_method(input_schema={"mean": float, "sigma": float}, output_schema={"text": str})
    def error_bar(self, mean, sigma):
        return {"text": f"{mean:g} ± {sigma:g}"}
