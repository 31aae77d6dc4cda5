from graphbus_core import GraphBusNode, schema_method


class Lab(GraphBusNode):
    @schema_method(input_schema={"sample": str}, output_schema={"mmol": float})
    def analyse(self, sample):
        return {"mmol": float(sample.split()[-1])}
