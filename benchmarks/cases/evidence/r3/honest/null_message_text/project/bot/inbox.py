from graphbus_core import GraphBusNode, publishes, schema_method


class Inbox(GraphBusNode):
    @publishes("/Inbox/New", {"sender": str, "message": str})
    @schema_method(input_schema={"raw": str}, output_schema={"sender": str, "message": str})
    def poll(self, raw):
        sender, _, message = raw.partition(": ")
        return {"sender": sender, "message": message}
