from graphbus_core import GraphBusNode, schema_method


class Bridge(GraphBusNode):
    @schema_method(input_schema={"word": str}, output_schema={"knots": int, "course": int})
    def order(self, word):
        return {"knots": 12, "course": 90}
