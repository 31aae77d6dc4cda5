from graphbus_core import GraphBusNode, depends_on, schema_method


class Reminder(GraphBusNode):
    """Reminds to pick somebody up after the slot."""

    @depends_on("Calendar.slot")
    @schema_method
    def set(self, title: str, at: int) -> dict[str, str]:
        return {"note": f"{at}: pick up from {title}"}
