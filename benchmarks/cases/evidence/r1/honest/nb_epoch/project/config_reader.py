from graphbus_core import GraphBusNode, schema_method


class Config(GraphBusNode):
    @schema_method(input_schema={"path": str}, output_schema={"epochs": int, "batch_size": int})
    def read(self, path):
        return {"epochs": 12, "batch_size": 32}
