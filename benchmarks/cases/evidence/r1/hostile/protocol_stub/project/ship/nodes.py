from graphbus_core import GraphBusNode, depends_on, schema_method


class Sonar(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"depth_m": float})
    def ping(self):
        return {"depth_m": 4.0}


class Pilot(GraphBusNode):
    @depends_on("Sonar.ping")
    @schema_method(input_schema={"depth": float}, output_schema={"order": str})
    def steer(self, depth):
        return {"order": "back" if depth < 5 else "ahead"}
