from graphbus_core import GraphBusNode, depends_on, schema_method

from money.types import AccountId


class Posting(GraphBusNode):
    @depends_on("Order.parse")
    @schema_method(input_schema={"account": AccountId}, output_schema={"line": str})
    def debit(self, account):
        return {"line": f"DEBIT {account}"}
