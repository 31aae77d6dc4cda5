from graphbus_core import GraphBusNode, schema_method


class Counting(GraphBusNode):
    @schema_method(input_schema={"district": int}, output_schema={"votes": int, "spoiled": int, "ours": int})
    def district(self, district):
        return {"votes": 1000, "spoiled": 200, "ours": 400}
