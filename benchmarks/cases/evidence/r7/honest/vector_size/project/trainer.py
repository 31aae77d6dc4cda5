from graphbus_core import GraphBusNode, depends_on, schema_method


class Trainer(GraphBusNode):
    @depends_on("Corpus.suggest")
    @schema_method(input_schema={"size": int, "words": int}, output_schema={"weights": int})
    def train(self, size, words=4):
        return {"weights": size * words}
