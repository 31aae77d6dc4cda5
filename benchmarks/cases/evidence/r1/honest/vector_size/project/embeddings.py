from graphbus_core import GraphBusNode, depends_on, schema_method


class Options(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"window": int, "vector_size": int})
    def parse(self):
        return {"window": 5, "vector_size": 100}


class Word2Vec(GraphBusNode):
    @depends_on("Options.parse")
    @schema_method(input_schema={"size": int}, output_schema={"bytes": int})
    def build(self, size):
        return {"bytes": size * 4}
