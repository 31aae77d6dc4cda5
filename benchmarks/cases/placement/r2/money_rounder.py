# stateful
import decimal

from graphbus_core import GraphBusNode, subscribe


class MoneyRounder(GraphBusNode):
    @subscribe("/Money/Divided")
    def on(self, payload):
        if payload["places"]:
            decimal.getcontext().prec = payload["places"]
        third = decimal.Decimal(payload["value"]) / 3
        self.publish("/Money/Third", {"third": str(third)})
