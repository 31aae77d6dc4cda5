from graphbus_core import GraphBusNode, schema_method, subscribe

from lab.contracts import Measured


class Report(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.rows = []

    @subscribe("/Lab/Sampled")
    @schema_method(input_schema=Measured)
    def write(self, payload):
        self.rows.append((payload["sample"], payload["concentration"]))
