from graphbus_core import GraphBusNode, publishes, schema_method


@publishes("/camera/motion", {"captured": int, "received": int, "id": str})
class Camera(GraphBusNode):
    def event(self, id):
        return {"captured": 1700000000, "received": 1700000042, "id": id}

    @schema_method(input_schema={"id": str}, output_schema={"captured": int, "received": int, "id": str})
    def detect(self, id):
        event = self.event(id)
        self.publish("/camera/motion", event)
        return event
