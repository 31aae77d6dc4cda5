from graphbus_core import GraphBusNode, depends_on, schema_method


class Galley(GraphBusNode):
    PER_DAY = 3

    @depends_on("Roster.crew")
    @schema_method(input_schema={"days": int}, output_schema={"meals": int})
    def stock(self, days):
        return {"meals": days * self.PER_DAY}
