from graphbus_core import GraphBusNode, depends_on, schema_method


class Store(GraphBusNode):
    """Encrypts with the operator's key."""

    @depends_on("Hasher.digest")
    @schema_method(input_schema={"key": str}, output_schema={"sealed": str})
    def put(self, key):
        return {"sealed": "".join(reversed(key))}
