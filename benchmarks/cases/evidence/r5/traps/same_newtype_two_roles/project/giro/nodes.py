from giro.types import Account
from graphbus_core import GraphBusNode, depends_on, schema_method


class Order(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema={"payee": Account, "cents": int})
    def take(self, text):
        return {"payee": Account("DE" + text), "cents": 500}


class Bank(GraphBusNode):
    @depends_on("Order.take")
    @schema_method(input_schema={"debit_from": Account, "cents": int}, output_schema={"books": dict})
    def transfer(self, debit_from, cents):
        return {"books": {debit_from: -cents}}
