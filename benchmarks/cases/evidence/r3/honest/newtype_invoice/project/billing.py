from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method

from kinds import InvoiceNo


class Issued(TypedDict):
    number: InvoiceNo
    customer: str


class Billing(GraphBusNode):
    def __init__(self):
        super().__init__()
        self._next = 1

    @schema_method
    def issue(self, customer: str) -> Issued:
        number = InvoiceNo(f"R{self._next:04d}")
        self._next += 1
        return {"number": number, "customer": customer}
