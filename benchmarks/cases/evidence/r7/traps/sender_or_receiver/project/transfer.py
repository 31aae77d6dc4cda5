from typing import NamedTuple

from graphbus_core import GraphBusNode, schema_method


class Booked(NamedTuple):
    debtor: str
    creditor: str
    amount: int


class Transfer(GraphBusNode):
    @schema_method(input_schema={"amount": int}, output_schema={"debtor": str, "creditor": str, "amount": int})
    def book(self, amount):
        return Booked("CH11", "CH22", amount)._asdict()
