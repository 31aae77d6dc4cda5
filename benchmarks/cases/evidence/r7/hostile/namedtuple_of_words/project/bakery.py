from graphbus_core import GraphBusNode, schema_method


class Bakery(GraphBusNode):
    @schema_method(input_schema={"ovens": int}, output_schema={"loaves": int, "trays": int})
    def batch(self, ovens):
        return {"loaves": 25 * ovens, "trays": 4 * ovens}
