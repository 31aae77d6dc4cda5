# pure
from graphbus_core import GraphBusNode, subscribe


class CurrencyDesk(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.rate = 1.1
        self.fee = 0.5

    @subscribe("/Euro/Given")
    def on(self, payload):
        self.publish("/Dollar/Paid", {"usd": payload["eur"] * self.rate - self.fee})
