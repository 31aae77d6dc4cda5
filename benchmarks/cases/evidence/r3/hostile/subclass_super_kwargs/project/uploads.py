from graphbus_core import GraphBusNode, schema_method


class Uploads(GraphBusNode):
    @schema_method(input_schema={"part": str}, output_schema={"filename": str, "size": int})
    def receive(self, part):
        filename, body = part.split("=", 1)
        return {"filename": filename, "size": len(body)}
