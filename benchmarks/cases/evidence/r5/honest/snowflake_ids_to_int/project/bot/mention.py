from graphbus_core import GraphBusNode, depends_on, schema_method


class Mention(GraphBusNode):
    @depends_on("Gateway.message")
    @schema_method(input_schema={"author_id": str}, output_schema={"text": str})
    def text(self, author_id: str) -> dict:
        return {"text": f"<@{author_id}>"}
