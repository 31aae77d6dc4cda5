from graphbus_core import GraphBusNode, depends_on, schema_method


class Archive(GraphBusNode):
    @depends_on("Mailbox.next")
    @schema_method(input_schema={"received_at": int}, output_schema={"day": int})
    def keep(self, received_at):
        return {"day": received_at // 86400}
