from graphbus_core import GraphBusNode, publishes, schema_method


class Doorbell(GraphBusNode):
    @publishes("/Door/Rang", {"visitor": str, "hour": int})
    @schema_method(input_schema={"visitor": str, "hour": int}, output_schema={"visitor": str, "hour": int})
    def ring(self, visitor, hour):
        return {"visitor": visitor, "hour": hour}
