from graphbus_core import GraphBusNode, schema_method, subscribe


class Tax(GraphBusNode):
    def __init__(self):
        self.bills = {}

    @subscribe("/Land/Moved")
    @schema_method(input_schema={"plot": str, "owner": str})
    def on_moved(self, payload):
        self.bills[payload["plot"]] = payload["owner"]
