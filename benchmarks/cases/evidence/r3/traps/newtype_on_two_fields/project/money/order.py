from graphbus_core import GraphBusNode, schema_method

from money.types import AccountId


class Order(GraphBusNode):
    @schema_method(output_schema={"payee": AccountId, "payer": AccountId})
    def parse(self, text: str):
        payee, payer = text.split("<-")
        return {"payee": AccountId(payee), "payer": AccountId(payer)}
