from graphbus_core import GraphBusNode, publishes, schema_method


class Remote(GraphBusNode):
    @publishes("/Remote/Key", {"vol": int, "bass": int})
    @schema_method(input_schema={"presses": int}, output_schema={"vol": int, "bass": int})
    def press(self, presses):
        return {"vol": presses * 5, "bass": presses}
