from graphbus_core import GraphBusNode, schema_method


class Coop(GraphBusNode):
    @schema_method(input_schema={"house": int}, output_schema={"laid": int})
    def collect(self, house):
        return {"laid": house * 12}
