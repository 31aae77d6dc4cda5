from graphbus_core import GraphBusNode, schema_method


class Plan(GraphBusNode):
    @schema_method(
        input_schema={"words": int},
        output_schema={"window": int, "vector_size": int, "epochs": int},
    )
    def make(self, words):
        return {"window": 5, "vector_size": 100 if words > 1000 else 20, "epochs": 3}
