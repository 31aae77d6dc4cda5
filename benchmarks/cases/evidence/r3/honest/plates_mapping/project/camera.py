from graphbus_core import GraphBusNode, publishes, schema_method


class Camera(GraphBusNode):
    @publishes("/Plates", {"plateNo": str, "lane": int})
    @schema_method(input_schema={"frame": str}, output_schema={"plateNo": str, "lane": int})
    def snap(self, frame):
        plate, lane = frame.rsplit("@", 1)
        return {"plateNo": plate.upper(), "lane": int(lane)}
