from graphbus_core import GraphBusNode, depends_on, schema_method


class Plot(GraphBusNode):
    @depends_on("Figure.spec")
    @schema_method(input_schema={"counts": list[int], "normed": bool}, output_schema={"heights": list[float]})
    def draw(self, counts, normed):
        total = sum(counts) if normed else 1
        return {"heights": [count / total for count in counts]}
