from graphbus_core import GraphBusNode, depends_on, schema_method


class Poller(GraphBusNode):
    @depends_on("Settings.load")
    @schema_method(input_schema={"host": str, "timeout_ms": int}, output_schema={"tries": int})
    def poll(self, host, timeout_ms):
        return {"tries": timeout_ms // 500}
