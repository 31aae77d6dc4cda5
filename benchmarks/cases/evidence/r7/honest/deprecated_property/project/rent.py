from graphbus_core import GraphBusNode, depends_on, schema_method


class Rent(GraphBusNode):
    @depends_on("Survey.walk")
    @schema_method(input_schema={"visitors": int}, output_schema={"rent": int})
    def fix(self, visitors):
        return {"rent": visitors // 2}
