from graphbus_core import GraphBusNode, depends_on, schema_method


class Intake(GraphBusNode):
    @schema_method(input_schema={"title": str}, output_schema={"ref": str, "subject": str})
    def register(self, title):
        return {"ref": "2024/00391", "subject": "Maps"}


class Stacks(GraphBusNode):
    @depends_on("Intake.register")
    @schema_method(input_schema={"shelfmark": str}, output_schema={"floor": int})
    def place(self, shelfmark):
        """`MA 12`: two letters of the subject, a place."""
        return {"floor": {"MA": 3, "PR": 1}.get(shelfmark[:2], -1)}
