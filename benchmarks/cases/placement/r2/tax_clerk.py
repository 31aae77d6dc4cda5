# pure
from graphbus_core import GraphBusNode, subscribe


class TaxClerk(GraphBusNode):
    @subscribe("/Bill/Made")
    def on(self, payload):
        self.publish("/Bill/Taxed", {"gross": round(payload["net"] * 1.19, 2)})
