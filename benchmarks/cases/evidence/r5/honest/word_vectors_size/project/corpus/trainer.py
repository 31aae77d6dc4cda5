from graphbus_core import GraphBusNode, depends_on, schema_method


class Trainer(GraphBusNode):
    @depends_on("Plan.make")
    @schema_method(input_schema={"size": int, "epochs": int}, output_schema={"parameters": int})
    def fit(self, size: int, epochs: int):
        self.epochs = epochs
        return {"parameters": 2 * size * 50}
