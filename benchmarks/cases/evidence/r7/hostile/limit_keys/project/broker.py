from graphbus_core import GraphBusNode, depends_on, schema_method


class Broker(GraphBusNode):
    price = 100

    @depends_on("Ledger.balance")
    @schema_method(input_schema={"cash_limit": int, "share_limit": int}, output_schema={"shares": int})
    def buy(self, cash_limit, share_limit=50):
        return {"shares": min(cash_limit // self.price, share_limit)}
