# pure
from graphbus_core import GraphBusNode, subscribe


def tidy(row):
    for key in list(row):
        row[key] = " ".join(str(row[key]).split())
    row.setdefault("country", "CH")


class AddressCleaner(GraphBusNode):
    @subscribe("/Address/Entered")
    def on_entered(self, payload):
        row = dict(payload)
        tidy(row)
        self.publish("/Address/Clean", row)
