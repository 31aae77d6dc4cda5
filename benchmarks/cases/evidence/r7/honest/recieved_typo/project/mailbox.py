from graphbus_core import GraphBusNode, schema_method


class Mailbox(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"recieved_at": int, "sent_at": int})
    def next(self):
        return {"recieved_at": 1_700_000_000, "sent_at": 1_699_000_000}
