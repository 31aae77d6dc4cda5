# stateful
"""The back office sets how exactly the desk computes."""

import decimal

from graphbus_core import GraphBusNode, subscribe


class CurrencyDesk(GraphBusNode):
    @subscribe("/Desk/Digits")
    def on_digits(self, payload):
        decimal.getcontext().prec = payload["digits"]

    @subscribe("/Desk/Exchange")
    def on_exchange(self, payload):
        got = decimal.Decimal(payload["amount"]) / decimal.Decimal(payload["rate"])
        self.publish("/Desk/Paid", {"amount": str(got)})
