from graphbus_core import GraphBusNode, depends_on, schema_method


class Match(GraphBusNode):
    @depends_on("Estate.flat")
    @schema_method(input_schema={"room_count": int}, output_schema={"score": int})
    def score(self, room_count):
        return {"score": 10 * room_count}
