"""Reads an inverter and guards the fuse of the house."""
from html.parser import HTMLParser

from graphbus_core import GraphBusNode, depends_on, schema_method

PAGE = "<table><tr><td id=pac>3600</td><td id=uac>231</td></tr></table>"


class Cells(HTMLParser):
    def __init__(self):
        super().__init__()
        self.cells = {}
        self.open = None

    def handle_starttag(self, tag, attrs):
        if tag == "td":
            self.open = dict(attrs)["id"]

    def handle_data(self, data):
        if self.open:
            self.cells[self.open] = data
            self.open = None


class InverterApi(GraphBusNode):
    SYSTEM_PROMPT = "I read the page of the inverter."

    @schema_method(input_schema={}, output_schema={"pac": str, "uac": str})
    def phases(self):
        parser = Cells()
        parser.feed(PAGE)
        return dict(parser.cells)

    def display(self):
        return " / ".join(value.rjust(5) for value in self.phases().values())


class FuseGuard(GraphBusNode):
    SYSTEM_PROMPT = "I warn before the fuse blows."
    rated_watt = 4000.0

    @depends_on("InverterApi.phases")
    @schema_method(input_schema={"pac": float}, output_schema={"load": float, "alarm": bool})
    def judge(self, pac):
        load = pac / self.rated_watt
        return {"load": load, "alarm": load > 0.8}
