from graphbus_core import GraphBusNode, depends_on, schema_method


class Stamp(GraphBusNode):
    @depends_on("Scale.put")
    @schema_method(input_schema={"grams": int}, output_schema={"cents": int})
    def choose(self, grams):
        return {"cents": 90 if grams <= 20 else 110}
