from graphbus_core import GraphBusNode, depends_on, schema_method


class Histogram(GraphBusNode):
    COUNTS = [1, 3]

    @depends_on("Style.choose")
    @schema_method(input_schema={"normed": bool}, output_schema={"bars": list})
    def draw(self, normed):
        total = sum(self.COUNTS) if normed else 1
        return {"bars": [c / total for c in self.COUNTS]}
