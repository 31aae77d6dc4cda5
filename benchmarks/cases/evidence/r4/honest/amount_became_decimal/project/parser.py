from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method

from decimal import Decimal


class ParserResult(TypedDict):
    payee: str
    amount: Decimal


class Parser(GraphBusNode):
    @schema_method
    def parse(self, raw: str) -> ParserResult:
        payee, amount = raw.split("|")
        return {"payee": payee, "amount": Decimal(amount)}
