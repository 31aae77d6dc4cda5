from graphbus_core import GraphBusNode, depends_on, schema_method

EPOCH = 1420070400000


class Clock(GraphBusNode):
    @depends_on("Channel.last")
    @schema_method(input_schema={"message_id": str}, output_schema={"ms": int})
    def created(self, message_id):
        return {"ms": EPOCH + (message_id >> 22)}
