"""Bars for the terminal."""
from graphbus_core import GraphBusNode, depends_on, schema_method

STEP = 1000


class Chart(GraphBusNode):
    SYSTEM_PROMPT = "I draw bars."

    def __init__(self, mark="#"):
        super().__init__()
        self.mark = mark

    @depends_on("Tracker.history")
    @schema_method(input_schema={"confirmed": int}, output_schema={"bar": str})
    def bar(self, confirmed):
        return {"bar": self.mark * (confirmed // STEP)}
