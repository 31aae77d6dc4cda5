from graphbus_core import GraphBusNode, schema_method


class Plan(GraphBusNode):
    plans = {"day": 1, "night": 4}

    @schema_method(input_schema={"shift": str}, output_schema={"devices": int, "nodes": int})
    def make(self, shift):
        return {"devices": self.plans[shift], "nodes": 2}
