from graphbus_core import GraphBusNode, schema_method

LETTERS = {"thin": 19.5, "thick": 20.4}


class Scale(GraphBusNode):
    @schema_method(input_schema={"letter": str}, output_schema={"grams": float})
    def put(self, letter):
        return {"grams": LETTERS[letter]}
