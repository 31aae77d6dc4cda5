from graphbus_core import GraphBusNode, depends_on, schema_method


class Ledger(GraphBusNode):
    def __init__(self):
        self.cents = 0

    @depends_on("Till.close")
    @schema_method(input_schema={"till": str, "amount_cents": int}, output_schema={"cents": int})
    def book(self, till, amount_cents):
        self.cents += amount_cents
        return {"cents": self.cents}
