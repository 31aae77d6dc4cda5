from graphbus_core import GraphBusNode, publishes, schema_method


class Chess(GraphBusNode):
    @publishes("/Move", {"piece": str, "square": str})
    @schema_method(input_schema={"text": str}, output_schema={"piece": str, "square": str})
    def move(self, text):
        return {"piece": text[0], "square": text[1:]}
