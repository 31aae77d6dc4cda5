from graphbus_core import GraphBusNode, schema_method


class Schedule(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"epochs": int, "patience": int})
    def plan(self):
        return {"epochs": 3, "patience": 1}
