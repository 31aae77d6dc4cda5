from graphbus_core import GraphBusNode, depends_on, schema_method


class Storage(GraphBusNode):
    @depends_on("Uploads.receive")
    @schema_method(input_schema={"name": str, "size": int}, output_schema={"path": str})
    def save(self, name, size):
        return {"path": f"/srv/{name}?{size}"}
