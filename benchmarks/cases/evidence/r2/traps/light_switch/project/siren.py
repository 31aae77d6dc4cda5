from graphbus_core import GraphBusNode, depends_on, schema_method


class Panel(GraphBusNode):
    @schema_method(output_schema={"enabled": bool})
    def state(self):
        return {"enabled": True}


class Siren(GraphBusNode):
    @depends_on("Panel.state")
    @schema_method(input_schema={"muted": bool}, output_schema={"db": int})
    def arm(self, muted):
        return {"db": 0 if muted else 110}
