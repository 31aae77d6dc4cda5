from graphbus_core import GraphBusNode, schema_method

TABLE = {"edge": {"timeout_s": 30, "host": "edge-1"}}


class Settings(GraphBusNode):
    @schema_method(input_schema={"name": str}, output_schema={"timeout_s": int, "host": str})
    def load(self, name):
        return dict(TABLE[name])
