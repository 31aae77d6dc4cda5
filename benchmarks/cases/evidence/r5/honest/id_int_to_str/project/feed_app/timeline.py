from graphbus_core import GraphBusNode, depends_on, schema_method


class Timeline(GraphBusNode):
    @depends_on("Api.post")
    @schema_method(input_schema={"post_id": int}, output_schema={"url": str})
    def link(self, post_id: int):
        return {"url": f"/p/{post_id}"}
