from graphbus_core import GraphBusNode, depends_on, schema_method


class Ticket(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"priority": int})
    def open(self, text):
        """priority 1 is dropped-everything, 5 is some day."""
        return {"priority": 1 if "fire" in text else 4}


class Pager(GraphBusNode):
    @depends_on("Ticket.open")
    @schema_method(input_schema={"severity": int}, output_schema={"call": bool})
    def wake(self, severity):
        """severity 5 wakes the boss, 1 is a note."""
        return {"call": severity >= 4}
