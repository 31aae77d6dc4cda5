from graphbus_core import GraphBusNode, depends_on, schema_method


class Copier(GraphBusNode):
    @depends_on("Loader.options")
    @schema_method(input_schema={"async_": bool, "size": int}, output_schema={"queued": bool, "bytes": int})
    def copy(self, async_, size):
        return {"queued": async_, "bytes": size}
