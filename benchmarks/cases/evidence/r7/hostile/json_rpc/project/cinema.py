from graphbus_core import GraphBusNode, schema_method


class Cinema(GraphBusNode):
    @schema_method(input_schema={"film": str}, output_schema={"hall": int, "floor": int})
    def screening(self, film):
        return {"hall": 2, "floor": 1}
