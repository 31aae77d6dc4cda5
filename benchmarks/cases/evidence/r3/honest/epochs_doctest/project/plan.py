from graphbus_core import GraphBusNode, schema_method


class Plan(GraphBusNode):
    @schema_method(input_schema={"samples": int}, output_schema={"epochs": int, "batch": int})
    def make(self, samples):
        return {"epochs": max(1, 10_000 // samples), "batch": 32}
