from graphbus_core import GraphBusNode, depends_on, schema_method


class Audit(GraphBusNode):
    @depends_on("Session.open")
    @schema_method(input_schema={"user_id": int}, output_schema={"text": str})
    def line(self, user_id):
        return {"text": f"user {user_id}"}
