from graphbus_core import GraphBusNode, schema_method


class Press(GraphBusNode):
    @schema_method(input_schema={"apples": int}, output_schema={"must": float, "pomace": float})
    def squeeze(self, apples):
        return {"must": apples * 0.5, "pomace": apples * 0.25}
