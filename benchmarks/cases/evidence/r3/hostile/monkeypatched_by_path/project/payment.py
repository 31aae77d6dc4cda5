from graphbus_core import GraphBusNode, schema_method, subscribe

import gateway


class Payment(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.receipts = []

    @subscribe("/Basket/Closed")
    @schema_method(input_schema={"amount": int})
    def pay(self, payload):
        self.receipts.append(gateway.charge(amount=payload["amount"]))
