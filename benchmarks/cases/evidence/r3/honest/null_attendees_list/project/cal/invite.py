from graphbus_core import GraphBusNode, depends_on, schema_method


class Invite(GraphBusNode):
    @depends_on("Calendar.event")
    @schema_method(output_schema={"to": str})
    def compose(self, attendees: list[str]):
        return {"to": "; ".join(f"{name}@corp.test" for name in sorted(attendees))}
