"""Sends invoices.

>>> from orders import OrderDesk
>>> order = OrderDesk().confirm(70)
>>> mailer = Mailer()
>>> mailer.invoice(number=order["number"], recipient=order["billing_email"], total=order["total"])
{'envelope': '<shop@bakery.example> invoice 70: 18.00'}
>>> mailer.sent
1
"""
from graphbus_core import GraphBusNode, depends_on, schema_method


class Mailer(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.sent = 0

    @depends_on("OrderDesk.confirm")
    @schema_method(
        input_schema={"number": int, "recipient": str, "total": float},
        output_schema={"envelope": str},
    )
    def invoice(self, number, recipient, total):
        if "@" not in recipient:
            raise ValueError(recipient)
        self.sent += 1
        return {"envelope": f"<{recipient}> invoice {number}: {total:.2f}"}
