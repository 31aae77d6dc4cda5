from graphbus_core import GraphBusNode, depends_on, schema_method


class Index(GraphBusNode):
    KNOWN = {"news": 3}

    @depends_on("Chat.message")
    @schema_method(input_schema={"topic": str}, output_schema={"hits": int})
    def add(self, topic):
        return {"hits": self.KNOWN.get(topic, 0) + 1}
