from graphbus_core import GraphBusNode, depends_on, schema_method


class Crew(GraphBusNode):
    @schema_method(input_schema={"hours": int}, output_schema={"shifts": int})
    def plan(self, hours):
        return {"shifts": hours // 8}


class Roster(GraphBusNode):
    @depends_on("Crew.plan")
    @schema_method(input_schema={"people": int}, output_schema={"rows": int})
    def print(self, people):
        return {"rows": people + 1}
