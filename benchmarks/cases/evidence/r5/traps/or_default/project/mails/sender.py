from graphbus_core import GraphBusNode, depends_on, schema_method


class Sender(GraphBusNode):
    QUEUE = ["a", "b", "c"]

    @depends_on("Plan.look")
    @schema_method(input_schema={"max_mails": int}, output_schema={"sent": list})
    def send(self, max_mails):
        return {"sent": self.QUEUE[:max_mails]}
