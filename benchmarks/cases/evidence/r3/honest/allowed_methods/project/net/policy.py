from graphbus_core import GraphBusNode, schema_method


class Policy(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"allowed_methods": list[str], "attempts": int})
    def read(self, text):
        attempts, _, methods = text.partition(":")
        return {"allowed_methods": methods.split(), "attempts": int(attempts)}
