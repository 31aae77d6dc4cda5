from graphbus_core import GraphBusNode, schema_method


class Loader(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"non_blocking": bool, "pinned": bool, "size": int})
    def options(self):
        return {"non_blocking": True, "pinned": False, "size": 64}
