from graphbus_core import GraphBusNode, depends_on, schema_method


class Tracker(GraphBusNode):
    @depends_on("Sonar.ping")
    @schema_method(input_schema={"previous": float, "t": int}, output_schema={"text": str})
    def step(self, previous, t):
        return {"text": f"t={t} was {previous:.0f}"}
