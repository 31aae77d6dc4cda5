from graphbus_core import GraphBusNode, depends_on, schema_method
from typing import TypedDict


class Line(TypedDict):
    amount: int
    text: str


class Bank(GraphBusNode):
    @schema_method
    def line(self, n: int) -> Line:
        return {"amount": -120, "text": "Rent"} if n == 1 else {"amount": 40, "text": "Gift"}


class Ledger(GraphBusNode):
    @depends_on("Bank.line")
    @schema_method
    def spend(self, debit: int) -> dict[str, str]:
        return {"row": f"out {debit:>6}"}
