from graphbus_core import GraphBusNode, schema_method

WORDS = ["tea", "cup", "pot", "kettle"]


class Corpus(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"vector_size": int, "window": int})
    def suggest(self):
        return {"vector_size": 100 if len(WORDS) < 1000 else 300, "window": 5}
